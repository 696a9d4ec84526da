// An n-gram is a view of the text from its first piece to its last, so counting copies nothing.
#include "metrics/ngrams.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/lines.h"

namespace attn {

std::string join_words(std::string_view text, std::string_view between) {
  std::string joined;
  bool pending = false;  // white space after a word
  for (std::string_view character : characters(text)) {
    if (is_white_space(character)) {
      pending = !joined.empty();
    } else {
      if (pending) joined += between;
      pending = false;
      joined += character;
    }
  }
  return joined;
}

NgramCounts count_ngrams(const std::vector<std::string_view>& pieces, std::size_t n) {
  NgramCounts counts;
  for (std::size_t i = 0; i + n <= pieces.size(); ++i) {
    const char* begin = pieces[i].data();
    const char* end = pieces[i + n - 1].data() + pieces[i + n - 1].size();
    ++counts[std::string_view(begin, static_cast<std::size_t>(end - begin))];
  }
  return counts;
}

Index matches(const NgramCounts& one, const NgramCounts& other) {
  Index sum = 0;
  for (const auto& [ngram, count] : one) {
    const auto found = other.find(ngram);
    if (found != other.end()) sum += std::min(count, found->second);
  }
  return sum;
}

}  // namespace attn
