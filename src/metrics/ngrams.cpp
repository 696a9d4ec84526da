// An n-gram is a view of the text from its first piece to its last, so counting copies nothing.
#include "metrics/ngrams.h"

#include <algorithm>

#include "base/utf8.h"

namespace attn {

// Whether a character, as UTF-8, is white space: Unicode's property White_Space, and the four
// separators of ASCII that Python's str.split adds, on which the scores' definitions rest.
static bool is_white_space(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1)
    return byte(0) == ' ' || (byte(0) >= 9 && byte(0) <= 13) || (byte(0) >= 28 && byte(0) <= 31);
  constexpr std::string_view kOthers[] = {"\u0085", "\u00A0", "\u1680", "\u2000", "\u2001",
                                          "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
                                          "\u2007", "\u2008", "\u2009", "\u200A", "\u2028",
                                          "\u2029", "\u202F", "\u205F", "\u3000"};
  return std::find(std::begin(kOthers), std::end(kOthers), character) != std::end(kOthers);
}

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
