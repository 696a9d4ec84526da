// Errors. A fault in any input (file, option, shape) throws attn::Error, which says what was wrong,
// where, and what was expected. Settings are in backticks, `d_model`; the program adds the option.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace attn {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Training has diverged: a number that it computed is not finite.
struct Diverged : Error {
  using Error::Error;
};

// A part of a message: words, a character or a whole number. (Others: shortest() or fixed().)
struct Part {
  std::string_view words;
  char character = 0;
  bool is_number = false, is_negative = false;
  unsigned long long size = 0;  // of the number, without its sign

  Part(const char* w) : words(w) {}
  Part(const std::string& w) : words(w) {}
  Part(std::string_view w) : words(w) {}
  Part(char c) : character(c) {}
  template <class Number, class = std::enable_if_t<std::is_integral_v<Number>>>
  Part(Number n) : is_number(true), is_negative(n < 0), size(static_cast<unsigned long long>(n)) {
    if (is_negative) size = 0 - size;
  }
};

// The parts joined into one string: text("got ", 3, " of ", 4, '.') is "got 3 of 4.".
std::string text(std::initializer_list<Part> parts);
template <class... Parts>
std::string text(const Parts&... parts) {
  return text({Part(parts)...});
}

// "a b c", if a space is between the words.
template <class Words>
std::string joined(const Words& words, std::string_view between) {
  std::string all;
  for (const auto& word : words) {
    if (!all.empty()) all += between;
    all += word;
  }
  return all;
}

// "a, b, c"
template <class Words>
std::string comma_list(const Words& words) {
  return joined(words, ", ");
}

// Throws Error with this text.
[[noreturn]] void fail(std::initializer_list<Part> parts);
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  fail({Part(parts)...});
}

}  // namespace attn

// Throws attn::Error unless the condition holds; the parts after it are the message.
#define ATTN_CHECK(condition, ...)                 \
  do {                                             \
    if (!(condition)) ::attn::fail({__VA_ARGS__}); \
  } while (false)

// The same where only diverged training makes the condition false: throws Diverged.
#define ATTN_CHECK_CONVERGED(condition, ...)                               \
  do {                                                                     \
    if (!(condition)) throw ::attn::Diverged(::attn::text({__VA_ARGS__})); \
  } while (false)

// The same as ATTN_CHECK for a == b; the message ends with both values.
#define ATTN_CHECK_EQ(a, b, ...)                                                    \
  do {                                                                              \
    const auto attn_a = (a);                                                        \
    const auto attn_b = (b);                                                        \
    if (!(attn_a == attn_b))                                                        \
      ::attn::fail({__VA_ARGS__, ": ", #a " is ", attn_a, ", " #b " is ", attn_b}); \
  } while (false)
