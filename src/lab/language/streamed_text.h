// Text while it is being written: what each token adds to a line, in whole characters.
#pragma once

#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace attn {

class StreamedText {
 public:
  explicit StreamedText(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // What this token lets us show: no part of a character that its next bytes may complete, and a
  // newline for <eos>. All that was returned, joined, is what Tokenizer::decode makes of the lines.
  std::string add(int token);
  // What was held back, at the end.
  std::string rest();

 private:
  // What the first `count` of held_ add to the text of shown_.
  std::string added(std::ptrdiff_t count) const;
  // Where the last n of held_ that have text begin.
  std::ptrdiff_t last_with_text(int n) const;

  const Tokenizer& tokenizer_;
  // Tokens of the line: those shown last, whose text decides the space after it, and those held.
  std::vector<int> shown_, held_;
};

}  // namespace attn
