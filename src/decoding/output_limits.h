// How long outputs may become.
#pragma once

#include <limits>

#include "base/real.h"
#include "model/sequence_model.h"

namespace attn {

struct OutputLimits {
  Index max_extra = 50;  // how many tokens longer than its input an output may be (§6.1)
  // For benchmarks only: the least tokens, before which <eos> is forbidden, and the most.
  Index at_least = 0;
  Index at_most = std::numeric_limits<Index>::max();

  // Every output has n tokens.
  static OutputLimits exactly(Index n) { return {n, n, n}; }
};

// The most tokens of an output for a source sentence of source_tokens, its <eos> included. Never
// more than the model can write.
Index longest_output(const OutputLimits& limits, const SequenceModel& model, Index source_tokens);

// Makes <eos> impossible if an output of this many tokens may not end yet.
void forbid_early_end(const OutputLimits& limits, Index tokens, Real* logits);

}  // namespace attn
