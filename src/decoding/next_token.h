// What greedy decoding and beam search ask at every step: which tokens may come next, and which of
// them are the most probable.
#pragma once

#include <vector>

#include "model/sequence_model.h"

namespace attn {

// How many tokens longer than its input an output may be (§6.1).
constexpr Index kMaxExtra = 50;

// The most tokens of an output for a source sentence of source_tokens, its <eos> included. Never
// more than the model can write.
Index longest_output(Index max_extra, const SequenceModel& model, Index source_tokens);

// The k tokens with the largest of V logits, largest first; ties go to the smaller id. Tokens
// with a logit of −∞ are impossible and left out, so there may be fewer than k. Throws Error if a
// logit is NaN or ∞, or if all are −∞.
std::vector<int> top_tokens(Index k, Index V, const Real* logits);

}  // namespace attn
