#include "cpp_tokens.h"

#include <algorithm>

#include "text.h"

namespace listings {
namespace {

// Bytes beyond ASCII are letters: a name may hold them.
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c) ||
         static_cast<unsigned char>(c) >= 128;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> tokens() {
    while (skip_blanks()) {
      const std::size_t begin = at_;
      const int line = line_;
      const TokenKind kind = take();
      const std::string_view text = source_.substr(begin, at_ - begin);
      line_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
      tokens_.push_back({kind, text, line, line_, first_});
      first_ = false;
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  bool skip_blanks() {
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (c == '\n') {
        ++line_;
        first_ = true;
      } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f') {
        return true;
      }
    }
    return false;
  }

  TokenKind take() {
    const char c = peek();
    if (c == '#' && first_) return take_line(TokenKind::directive);
    if (c == '/' && peek(1) == '/') return take_line(TokenKind::comment);
    if (c == '/' && peek(1) == '*') return take_until("*/", 2, TokenKind::comment);
    if (c == '"' || c == '\'') return take_string(c);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return take_number();
    if (is_word(c)) return take_word();
    const bool two = (c == ':' && peek(1) == ':') || (c == '-' && peek(1) == '>');
    at_ += two ? 2 : 1;
    return TokenKind::punctuation;
  }

  // To the end of the line, and on while it ends in a backslash.
  TokenKind take_line(TokenKind kind) {
    for (;;) {
      at_ = std::min(source_.find('\n', at_), source_.size());
      std::size_t last = at_;
      while (last > 0 && source_[last - 1] == '\r') --last;
      if (at_ == source_.size() || source_[last - 1] != '\\') return kind;
      ++at_;
    }
  }

  TokenKind take_until(const std::string& end, std::size_t from, TokenKind kind) {
    const std::size_t close = source_.find(end, at_ + from);
    if (close == npos) fail(kind == TokenKind::comment ? "comment" : "string");
    at_ = close + end.size();
    return kind;
  }

  TokenKind take_string(char quote) {
    for (++at_; peek() != quote; ++at_) {
      if (peek() == '\\') ++at_;
      if (at_ >= source_.size() || peek() == '\n') fail("string");
    }
    ++at_;
    return TokenKind::string;
  }

  TokenKind take_number() {
    while (is_word(peek()) || peek() == '.' || (peek() == '\'' && is_word(peek(1)))) {
      const char c = peek();
      ++at_;
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (peek() == '+' || peek() == '-')) ++at_;
    }
    return TokenKind::number;
  }

  TokenKind take_word() {
    const std::size_t begin = at_;
    while (is_word(peek())) ++at_;
    const std::string_view word = source_.substr(begin, at_ - begin);
    const bool raw = peek() == '"' && is_one_of(word, {"R", "u8R", "uR", "UR", "LR"});
    if (!raw) return TokenKind::word;
    const std::size_t parenthesis = source_.find('(', at_);
    if (parenthesis == npos) fail("string");
    const std::string delimiter(source_.substr(at_ + 1, parenthesis - at_ - 1));
    return take_until(")" + delimiter + "\"", 1, TokenKind::string);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("the " + what + " in line " + std::to_string(line_) + " is not closed");
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool first_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  return Lexer(source).tokens();
}

}  // namespace listings
