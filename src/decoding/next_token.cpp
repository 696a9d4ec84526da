// V is large and k small. Most tokens are passed over a range at a time, since the largest logit of
// the range is not among the best k so far.
#include "decoding/next_token.h"

#include <algorithm>

#include "base/check.h"
#include "kernels/kernels.h"
#include "text/vocabulary.h"

namespace attn {

constexpr Index kRange = 256;
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

Index longest_output(Index max_extra, const SequenceModel& model, Index source_tokens) {
  return std::min(source_tokens - 1 + max_extra, model.facts.longest_sentence - 1);
}

std::vector<int> top_tokens(Index k, Index V, const Real* logits, bool unknown) {
  std::vector<int> best;
  best.reserve(static_cast<std::size_t>(std::min(k, V)) + 1);
  Real threshold = -kInfinity;  // to be exceeded
  const auto more_probable = [&](int a, int b) { return logits[a] > logits[b]; };
  for (Index begin = 0; begin < V; begin += kRange) {
    const Index end = std::min(V, begin + kRange);
    const Real largest = kernels().largest_row(end - begin, logits + begin);
    ATTN_CHECK_CONVERGED(largest < kInfinity, kNotNumbers);
    if (largest <= threshold) continue;
    for (Index token = begin; token < end; ++token) {
      if (!(logits[token] > threshold)) continue;
      if (token == kBos || (token == kUnknown && !unknown)) continue;
      const int id = static_cast<int>(token);
      best.insert(std::upper_bound(best.begin(), best.end(), id, more_probable), id);
      if (static_cast<Index>(best.size()) > k) best.pop_back();
      if (static_cast<Index>(best.size()) == k) threshold = logits[best.back()];
    }
  }
  ATTN_CHECK_CONVERGED(!best.empty(),
                       "the model gives no token a probability above 0: its weights are ",
                       "damaged, or its training diverged");
  return best;
}

}  // namespace attn
