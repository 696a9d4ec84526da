// The tokens in the order of their logits; what top-k and top-p keep is always the beginning.
#include "lab/language/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/number.h"
#include "decoding/next_token.h"

namespace attn {

namespace {
void check(const SamplingOptions& o) {
  ATTN_CHECK(o.temperature >= 0 && std::isfinite(o.temperature),
             "the temperature must be a number from 0, not ", shortest(o.temperature));
  ATTN_CHECK(o.top_k >= 1, "top-k must keep at least 1 token, not ", o.top_k);
  ATTN_CHECK(o.top_p > 0 && o.top_p <= 1, "top-p must be more than 0 and at most 1, not ",
             shortest(o.top_p));
}
}  // namespace

std::vector<TokenProbability> sampling_distribution(const SamplingOptions& options, Index V,
                                                    const Real* logits) {
  check(options);
  const int best = top_tokens(1, V, logits).front();
  if (options.temperature == 0) return {{best, 1}};

  // Top-k.
  std::vector<int> tokens(V);
  std::iota(tokens.begin(), tokens.end(), 0);
  const auto end = tokens.begin() + std::min(V, options.top_k);
  std::partial_sort(tokens.begin(), end, tokens.end(), [&](int a, int b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  tokens.erase(end, tokens.end());

  // The softmax at this temperature.
  std::vector<TokenProbability> result;
  double sum = 0;
  for (const int token : tokens) {
    const double z = static_cast<double>(logits[token]) - static_cast<double>(logits[best]);
    result.push_back({token, std::exp(z / options.temperature)});
    sum += result.back().p;
  }

  // Top-p.
  double kept = 0;
  std::size_t n = 0;
  while (n < result.size() && (options.top_p == 1 || kept / sum < options.top_p)) {
    kept += result[n++].p;
  }
  result.resize(n);
  for (TokenProbability& token : result) token.p /= kept;
  return result;
}

int draw(const std::vector<TokenProbability>& distribution, double u) {
  double sum = 0;
  for (const auto& [token, p] : distribution) {
    sum += p;
    if (u < sum) return token;
  }
  return distribution.front().token;  // rounding has left the sum below u
}

}  // namespace attn
