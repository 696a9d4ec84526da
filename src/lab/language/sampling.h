// Sampling: the next token is drawn at random, each with the probability that the model gives it.
// Top-k and top-p leave out the many tokens that are each unlikely, but together are not.
//
//     p_v = exp(z_v / τ) / Σ exp(z_w / τ)       temperature τ: below 1 sharpens, above 1 flattens
//     top-k: only the k most probable tokens     Fan et al. 2018
//     top-p: of these, the fewest whose probabilities reach P together     Holtzman et al. 2020
#pragma once

#include <vector>

#include "model/sequence_model.h"

namespace attn {

struct SamplingOptions {
  double temperature = 1;    // τ ≥ 0; 0: always the most probable token
  Index top_k = kAnyLength;  // k ≥ 1
  double top_p = 1;          // 0 < P ≤ 1
};

struct TokenProbability {
  int token;
  double p;
};

// What sampling draws from, given V logits: temperature, then top-k, then top-p of what is left,
// each with probabilities that sum to 1. Most probable first; ties go to the smaller id. Throws
// Error for options outside their ranges, and as top_tokens does.
std::vector<TokenProbability> sampling_distribution(const SamplingOptions& options, Index V,
                                                    const Real* logits);
// The token that u, uniform in [0, 1), falls on when their probabilities lie end to end.
int draw(const std::vector<TokenProbability>& distribution, double u);

}  // namespace attn
