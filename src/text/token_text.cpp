// Everything that a line of the file cannot show as it is gets a backslash.
#include "text/token_text.h"

#include "base/check.h"
#include "base/format.h"

namespace attn {

std::string written_token(std::string_view symbol) {
  std::string result;
  for (const char c : symbol) {
    if (c == kPieceEnd) {
      result += '_';
    } else if (c == '\\' || c == '_') {
      (result += '\\') += c;
    } else if (c == ' ') {
      result += "\\s";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += "\\x" + hexadecimal(c);
    } else {
      result += c;
    }
  }
  return result;
}

std::string read_token(std::string_view token, const std::string& where) {
  std::string symbol;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '_') {
      ATTN_CHECK(i + 1 == token.size(), where, "a mark _ before the end of a token");
      symbol += kPieceEnd;
    } else if (token[i] != '\\') {
      symbol += token[i];
    } else {
      const char next = ++i < token.size() ? token[i] : '\0';
      if (next == '\\' || next == '_') {
        symbol += next;
      } else if (next == 's') {
        symbol += ' ';
      } else {
        const auto digit = [&](std::size_t at) {
          const std::string_view digits = "0123456789ABCDEF";
          const std::size_t value = at < token.size() ? digits.find(token[at]) : digits.npos;
          ATTN_CHECK(next == 'x' && value != digits.npos, where,
                     "after a backslash there must be \\, _, s or x and two hexadecimal digits");
          return static_cast<int>(value);
        };
        symbol += static_cast<char>(16 * digit(i + 1) + digit(i + 2));
        i += 2;
      }
    }
  }
  ATTN_CHECK(written_token(symbol) == token, where,
             "a token that is not written as the program writes it");
  return symbol;
}

}  // namespace attn
