#include "base/suggestion.h"

#include <algorithm>

#include "base/check.h"

namespace attn {

std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& prefix) {
  const std::string* best = nullptr;
  std::size_t fewest = std::min<std::size_t>(3, word.size() / 3 + 1);
  for (const std::string& candidate : candidates) {
    // The beginning of a name is as good as one slip.
    const bool abbreviated = word.size() >= 3 && candidate.compare(0, word.size(), word) == 0;
    const std::size_t count = abbreviated ? 1 : word.size() > 40 ? 100 : edits(word, candidate);
    if (count < fewest || (count == fewest && best == nullptr)) {
      best = &candidate;
      fewest = count;
    }
  }
  return best == nullptr ? "" : text("; did you mean ", prefix, *best, "?");
}

}  // namespace attn
