// A trace: every value of one sentence pair's way through a model, forward or backward. It watches
// a pass, and so knows nothing of the order in which layers follow each other.
#pragma once

#include <vector>

#include "model/sequence_model.h"
#include "text/vocabulary.h"
#include "trace/trace_value.h"

namespace attn {

// The tokens of a batch of one sentence pair.
TraceTokens trace_tokens(const Batch& batch, const Vocabulary& vocabulary);

// Every value from the tokens to the loss, in the order in which they are computed, without
// dropout. Before each the parameters that it is computed from, marked as weights.
std::vector<TraceValue> trace_forward(SequenceModel& model, const Batch& batch,
                                      const TraceTokens& tokens);

// Every gradient of the mean loss, from the loss back to the parameters. Leaves the parameters'
// gradients in the model.
std::vector<TraceValue> trace_backward(SequenceModel& model, const Batch& batch,
                                       const TraceTokens& tokens);

}  // namespace attn
