// Each n-gram of the reference can be used up once. i + n <= size, and not i <= size - n: sizes are
// unsigned, and size - n of a short sentence would be enormous.
#include <map>

#include "support/exercise.h"

struct ClippedCounts {
  Index matched, total;
};

ClippedCounts clipped_counts(const std::vector<std::string>& hypothesis,
                             const std::vector<std::string>& reference, std::size_t n) {
  const auto ngram = [&](const std::vector<std::string>& words, std::size_t i) {
    const auto first = words.begin() + static_cast<Index>(i);
    return std::vector<std::string>(first, first + static_cast<Index>(n));
  };
  std::map<std::vector<std::string>, Index> left;
  for (std::size_t i = 0; i + n <= reference.size(); ++i) ++left[ngram(reference, i)];
  ClippedCounts counts{0, 0};
  for (std::size_t i = 0; i + n <= hypothesis.size(); ++i) {
    ++counts.total;
    if (left[ngram(hypothesis, i)]-- > 0) ++counts.matched;
  }
  return counts;
}
