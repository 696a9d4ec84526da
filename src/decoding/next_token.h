// What greedy decoding and beam search ask at every step: which tokens may come next, and which of
// them are the most probable.
#pragma once

#include <limits>
#include <vector>

#include "model/sequence_model.h"

namespace attn {

// How long outputs may become.
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

// The k tokens with the largest of V logits, largest first; ties go to the smaller id. Tokens
// with a logit of −∞ are impossible and left out, so there may be fewer than k. Throws Error if a
// logit is NaN or ∞, or if all are −∞.
std::vector<int> top_tokens(Index k, Index V, const Real* logits);

}  // namespace attn
