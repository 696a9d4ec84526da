// A trace: every value of one sentence pair in a model, forward or backward. It watches a pass, and
// so need not know the order of the layers.
#pragma once

#include <string>
#include <vector>

#include "model/sequence_model.h"
#include "text/tokenizer.h"
#include "trace/trace_value.h"

namespace attn {

// The tokens of a batch of one sentence pair.
TraceTokens trace_tokens(const Batch& batch, const Tokenizer& tokenizer);

// Every value from the tokens to the loss, in the order in which they are computed, without
// dropout. Each is preceded by the parameters that it is computed from, marked as weights.
std::vector<TraceValue> trace_forward(SequenceModel& model, const Batch& batch,
                                      const TraceTokens& tokens);

// Every gradient of the mean loss, from the loss back to the parameters. Leaves the parameters'
// gradients in the model.
std::vector<TraceValue> trace_backward(SequenceModel& model, const Batch& batch,
                                       const TraceTokens& tokens);

// Both, one after the other, as an explanation needs them.
std::vector<TraceValue> trace_both(SequenceModel& model, const Batch& batch,
                                   const TraceTokens& tokens);

// A part of a trace.
struct TraceSelection {
  Index layer = -1, head = -1;     // only those of this layer, this head; −1: all
  bool weights = false;            // parameters as well
  std::vector<std::string> names;  // only these; empty: all
};

// The values that are selected, in their order. A name is the whole of a value's, some parts of it
// that follow each other (S, heads.1, encoder.0) or its word; a gradient also
// answers to the name of its value. Throws Error, listing the names there are, for any other.
std::vector<TraceValue> selected(std::vector<TraceValue> values, const TraceSelection& selection);

}  // namespace attn
