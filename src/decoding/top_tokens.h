// The most probable tokens of a row of logits.
#pragma once

#include <vector>

#include "base/real.h"

namespace attn {

// The k tokens with the largest of V logits, largest first; of equals the one with the smaller id.
// Logits of −∞ stand for what cannot be and are left out, so there may be fewer than k. Throws
// Error if a logit is NaN or ∞, or if none can be.
std::vector<int> top_tokens(Index k, Index V, const Real* logits);

}  // namespace attn
