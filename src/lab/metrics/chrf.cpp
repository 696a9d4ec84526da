// chrF = 100 · (1 + β²) p r / (β² p + r), from counts that add up over sentences.
#include "lab/metrics/chrf.h"

#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "metrics/ngrams.h"

namespace attn {

ChrfCounts& ChrfCounts::operator+=(const ChrfCounts& other) {
  for (std::size_t n = 0; n < kChrfOrder; ++n) {
    matched[n] += other.matched[n];
    hypothesis[n] += other.hypothesis[n];
    reference[n] += other.reference[n];
  }
  return *this;
}

ChrfCounts chrf_counts(const std::string& hypothesis, const std::vector<std::string>& references) {
  ATTN_CHECK(!references.empty(), "chrF needs a reference");
  const std::string text = join_words(hypothesis, "");
  const std::vector<std::string_view> letters = characters(text);
  ChrfCounts best;
  for (const std::string& reference : references) {
    const std::string other = join_words(reference, "");
    const std::vector<std::string_view> other_letters = characters(other);
    ChrfCounts counts;
    const auto ngrams = [](const std::vector<std::string_view>& of, std::size_t n) {
      return of.size() < n ? 0 : static_cast<Index>(of.size() - n + 1);
    };
    for (std::size_t n = 1; n <= kChrfOrder; ++n) {
      counts.matched[n - 1] = matches(count_ngrams(letters, n), count_ngrams(other_letters, n));
      counts.reference[n - 1] = ngrams(other_letters, n);
      // A reference too short for an n-gram says nothing about the hypothesis's.
      counts.hypothesis[n - 1] = counts.reference[n - 1] > 0 ? ngrams(letters, n) : 0;
    }
    if (&reference == &references.front() || chrf(counts) > chrf(best)) best = counts;
  }
  return best;
}

double chrf(const ChrfCounts& counts) {
  double precision = 0, recall = 0, orders = 0;
  for (std::size_t n = 0; n < kChrfOrder; ++n) {
    if (counts.hypothesis[n] == 0 || counts.reference[n] == 0) continue;
    const double matched = static_cast<double>(counts.matched[n]);
    precision += matched / static_cast<double>(counts.hypothesis[n]);
    recall += matched / static_cast<double>(counts.reference[n]);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  constexpr double kBeta2 = 2 * 2;
  return 100 * (1 + kBeta2) * precision * recall / (kBeta2 * precision + recall);
}

}  // namespace attn
