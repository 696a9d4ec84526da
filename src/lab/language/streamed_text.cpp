// What a token adds is the difference between the text with it and the text without. How a token
// continues a line depends on the one before it alone.
#include "lab/language/streamed_text.h"

#include <utility>

#include "text/lines.h"

namespace attn {

std::string StreamedText::add(int token) {
  if (token == kEos) {
    std::string end = rest() + '\n';
    shown_.clear();
    return end;
  }
  // A second mark of an end in a row says nothing.
  if (!held_.empty() && held_.back() == token && tokenizer_.decode({token}).empty()) return "";
  held_.push_back(token);
  // A character has at most four bytes, and is U+FFFD as long as they have not all come.
  const std::vector<int> end(held_.begin() + last_with_text(4), held_.end());
  if (!ends_with(tokenizer_.decode(end), "\uFFFD")) return rest();
  // Before the last three, bytes are broken for good. They are shown when they are as many as were
  // shown with them before, so that no byte is decoded more than a few times.
  const auto broken = last_with_text(3);
  if (broken == 0 || broken < static_cast<std::ptrdiff_t>(shown_.size())) return "";
  std::string more = added(broken);
  shown_.insert(shown_.end(), held_.begin(), held_.begin() + broken);
  held_.erase(held_.begin(), held_.begin() + broken);
  return more;
}

std::ptrdiff_t StreamedText::last_with_text(int n) const {
  auto token = held_.end();
  while (token != held_.begin() && n > 0) {
    if (!tokenizer_.decode({*--token}).empty()) --n;
  }
  return token - held_.begin();
}

std::string StreamedText::rest() {
  std::string more = added(static_cast<std::ptrdiff_t>(held_.size()));
  // A token without text, such as the mark of an end, stays with those whose text it is about.
  if (!more.empty()) shown_ = std::exchange(held_, {});
  return more;
}

std::string StreamedText::added(std::ptrdiff_t count) const {
  std::vector<int> tokens = shown_;
  tokens.insert(tokens.end(), held_.begin(), held_.begin() + count);
  return tokenizer_.decode(tokens).substr(tokenizer_.decode(shown_).size());
}

}  // namespace attn
