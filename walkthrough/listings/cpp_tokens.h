// C++ source as tokens: enough of the language to know what is a string, what is a comment, and
// which braces belong together.
#pragma once

#include <string_view>
#include <vector>

namespace listings {

enum class TokenKind { word, number, string, comment, directive, punctuation };

struct Token {
  TokenKind kind;
  std::string_view text;  // into the source
  int line, last_line;
  bool first;  // on its line
};

// A directive (#define …) is one token with all its continued lines; punctuation is one character,
// except for :: and ->. Throws Error if a string or comment is not closed.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace listings
