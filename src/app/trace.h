// What `attention trace` shows: every value of one sentence pair's way through a Transformer,
// forward or backward.
#pragma once

#include "app/trace_value.h"
#include "model/transformer.h"
#include "text/vocabulary.h"

namespace attn::app {

// The tokens of a batch of one sentence pair.
TraceTokens trace_tokens(const Batch& batch, const Vocabulary& vocabulary);

// Runs the model forward and records every value: most are what the model's caches keep; those that
// forward overwrites or fuses are made again from cached ones by the library's own functions. The
// parameters come before the values that they make, marked as weights.
std::vector<TraceValue> trace_forward(Transformer& model, const Batch& batch,
                                      const TraceTokens& tokens);

// h Eᵀ, or h W: the logits of a cached h [T, d_model], as Transformer::logits computes them.
Tensor trace_logits(const Transformer& model, const Tensor& h);

// Runs the model forward and back, calling the layers' backward functions in the model's order, and
// records every gradient. Leaves the parameters' gradients in the model: those of the mean loss.
std::vector<TraceValue> trace_backward(Transformer& model, const Batch& batch,
                                       const TraceTokens& tokens);

}  // namespace attn::app
