// What a token adds is the difference between the text with it and the text without. How a token
// continues a line depends on the one before it alone.
#include "lab/language/streamed_text.h"

#include "base/printing.h"

namespace attn {

std::string StreamedText::add(int token) {
  if (token == kEos) {
    std::string end = rest() + '\n';
    shown_.clear();
    return end;
  }
  held_.push_back(token);
  std::vector<int> all = shown_;
  all.insert(all.end(), held_.begin(), held_.end());
  // A character whose bytes have not all come is U+FFFD so far.
  return ends_with(tokenizer_.decode(all), "\uFFFD") ? "" : rest();
}

std::string StreamedText::rest() {
  const std::size_t before = tokenizer_.decode(shown_).size();
  std::vector<int> all = shown_;
  all.insert(all.end(), held_.begin(), held_.end());
  std::string more = tokenizer_.decode(all).substr(before);
  // A token without text, such as the mark of an end, stays with those whose text it is about.
  if (!more.empty()) shown_ = std::exchange(held_, {});
  return more;
}

}  // namespace attn
