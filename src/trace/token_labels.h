// Which tokens the rows and columns of a value stand for: those of what it was made from.
#pragma once

#include <vector>

#include "model/sequence_model.h"
#include "trace/trace_value.h"

namespace attn {

// What is traced.
struct TracedPass {
  SequenceModel& model;
  const Batch& batch;
  const TraceTokens& tokens;
};

// Labels a value that this recipe makes from earlier ones, and those of them whose rows or columns
// turn out to be the vocabulary.
void put_labels(const TracedPass& traced, const Recipe& recipe, std::vector<TraceValue>& earlier,
                TraceValue& value);

}  // namespace attn
