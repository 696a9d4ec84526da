// The most probable tokens of a row of logits.
#pragma once

#include <vector>

#include "base/real.h"

namespace attn {

// The k tokens with the largest of V logits, largest first; ties go to the smaller id. Tokens
// with a logit of −∞ are impossible and left out, so there may be fewer than k. Throws Error if a
// logit is NaN or ∞, or if all are −∞.
std::vector<int> top_tokens(Index k, Index V, const Real* logits);

}  // namespace attn
