// A parser by recursive descent: one function for each rule of RFC 8259's grammar.
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/number.h"
#include "base/utf8.h"
#include "storage/json.h"

namespace attn {
namespace {

constexpr int kMaxDepth = 64;

class Parser {
 public:
  Parser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Json document() {
    Json result = value(0);
    if (position_ < text_.size()) expected("nothing more");
    return result;
  }

 private:
  // ws value ws
  Json value(int depth) {
    skip_space();
    const char c = peek();
    Json result = c == '{'   ? object(depth)
                  : c == '[' ? array(depth)
                  : c == '"' ? string()
                  : c == 't' ? word("true", true)
                  : c == 'f' ? word("false", false)
                  : c == 'n' ? word("null", nullptr)
                             : number();
    skip_space();
    return result;
  }

  Json word(std::string_view letters, Json meaning) {
    if (text_.substr(position_, letters.size()) != letters) expected(letters);
    position_ += letters.size();
    return meaning;
  }

  // begin end  or  begin item (',' item)* end: whether there is an item, the first or the next
  bool first_item(char begin, char end, int depth) {
    if (depth >= kMaxDepth) refuse(text("more than ", kMaxDepth, " values inside one another"));
    take(begin);
    skip_space();
    return !try_take(end);
  }
  bool next_item(char end) {
    if (try_take(',')) return true;
    if (!try_take(end)) expected(text("',' or '", end, "'"));
    return false;
  }

  // Items are string ':' value.
  Json object(int depth) {
    const std::size_t start = position_;
    std::vector<Json::Member> members;
    for (bool more = first_item('{', '}', depth); more; more = next_item('}')) {
      skip_space();
      if (peek() != '"') expected("a key in quotes");
      std::string key = string();
      skip_space();
      take(':');
      members.push_back({std::move(key), value(depth + 1)});
    }
    try {
      return Json::object(std::move(members));
    } catch (const Error& error) {
      fail(where_, ", object at byte ", start, ": ", error.what());
    }
  }

  Json array(int depth) {
    std::vector<Json> items;
    for (bool more = first_item('[', ']', depth); more; more = next_item(']')) {
      items.push_back(value(depth + 1));
    }
    return Json::array(std::move(items));
  }

  std::string string() {
    take('"');
    std::string result;
    while (!try_take('"')) {
      if (position_ < text_.size() && static_cast<unsigned char>(text_[position_]) < 0x20) {
        expected("a control character in a string to be escaped");
      }
      if (try_take('\\')) {
        append_escape(result);
        continue;
      }
      const std::size_t bytes = utf8_character(text_.substr(position_));
      if (bytes == 0) expected(position_ < text_.size() ? "UTF-8" : "'\"'");
      result += text_.substr(position_, bytes);
      position_ += bytes;
    }
    return result;
  }

  void append_escape(std::string& out) {
    const std::size_t letter = std::string_view("\"\\/bfnrt").find(peek());
    if (letter != std::string_view::npos) {
      out += "\"\\/\b\f\n\r\t"[letter];
      ++position_;
      return;
    }
    if (!try_take('u')) expected("one of \"\\/bfnrtu after '\\'");
    unsigned code = four_hex_digits();
    // Characters beyond 16 bits are two escapes: a high surrogate, then a low one.
    if (code >= 0xD800 && code < 0xDC00) {
      take('\\');
      take('u');
      const unsigned low = four_hex_digits();
      if (low < 0xDC00 || low > 0xDFFF) refuse("a high surrogate needs a low one after it");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      refuse("a low surrogate needs a high one before it");
    }
    append_utf8(code, out);
  }

  unsigned four_hex_digits() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      const std::size_t digit = std::string_view("0123456789abcdef0123456789ABCDEF").find(peek());
      if (digit == std::string_view::npos) expected("four hexadecimal digits");
      code = code * 16 + static_cast<unsigned>(digit % 16);
      ++position_;
    }
    return code;
  }

  static void append_utf8(unsigned code, std::string& out) {
    constexpr unsigned first_byte[] = {0, 0xC0, 0xE0, 0xF0};
    const unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    out += static_cast<char>(first_byte[more] | code >> 6 * more);
    for (unsigned i = more; i-- > 0;) out += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
  }

  // '-'? ('0' | [1-9] digits) ('.' digits)? ([eE] [+-]? digits)?
  Json number() {
    const std::size_t start = position_;
    if (peek() != '-' && !is_digit(peek())) expected("a value");
    try_take('-');
    if (!try_take('0')) digits();
    const std::size_t integer_end = position_;
    if (try_take('.')) digits();
    if (try_take('e') || try_take('E')) {
      if (!try_take('+')) try_take('-');
      digits();
    }
    const std::string_view token = text_.substr(start, position_ - start);
    // -0 is not an integer: its sign would be lost.
    if (position_ == integer_end && token != "-0") {
      if (const auto integer = number_in<std::int64_t>(token)) return *integer;
      if (const auto natural = number_in<std::uint64_t>(token)) return *natural;
    }
    const std::optional<double> result = number_in<double>(token);
    if (!result) {
      position_ = start;
      refuse("the number does not fit a double");
    }
    return *result;
  }

  void digits() {
    if (!is_digit(peek())) expected("a digit");
    while (is_digit(peek())) ++position_;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  // The next character; NUL, which no rule allows, at the end.
  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  void skip_space() {
    while (std::string_view(" \t\n\r").find(peek()) != std::string_view::npos) ++position_;
  }

  bool try_take(char c) {
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  void take(char c) {
    if (!try_take(c)) expected(text("'", c, "'"));
  }

  [[noreturn]] void refuse(std::string_view why) const {
    fail(where_, ", byte ", position_, ": ", why);
  }

  [[noreturn]] void expected(std::string_view what) const {
    if (position_ == text_.size()) refuse(text("expected ", what, ", found the end"));
    const char c = text_[position_];
    const int byte = static_cast<unsigned char>(c);
    const bool printable = c > ' ' && c <= '~';
    refuse(text("expected ", what, ", found ",
                printable ? text("'", c, "'") : text("the byte ", byte)));
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t position_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  return Parser(text, where).document();
}

}  // namespace attn
