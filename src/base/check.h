// Errors. A fault in any input (a file, an option, a shape) is thrown as attn::Error, whose
// message says what was wrong, where, and what was expected. The program prints it and exits. What
// can be set is in backticks, `d_model`, and the program says which option that is.
#pragma once

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

// The parts joined into one string: text("got ", 3, " of ", 4, '.') is "got 3 of 4.".
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string result;
  auto append = [&result](const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    static_assert(!std::is_floating_point_v<Part>, "choose the digits: shortest() or fixed()");
    if constexpr (std::is_same_v<Part, char>) {
      result += part;
    } else if constexpr (std::is_arithmetic_v<Part>) {
      result += std::to_string(part);
    } else {
      result += std::string_view(part);
    }
  };
  (append(parts), ...);
  return result;
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

template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw Error(text(parts...));
}

}  // namespace attn

// Throws attn::Error unless the condition holds; the parts after it are the message.
#define ATTN_CHECK(condition, ...)               \
  do {                                           \
    if (!(condition)) ::attn::fail(__VA_ARGS__); \
  } while (false)

// The same where only diverged training makes the condition false: throws Diverged.
#define ATTN_CHECK_CONVERGED(condition, ...)                             \
  do {                                                                   \
    if (!(condition)) throw ::attn::Diverged(::attn::text(__VA_ARGS__)); \
  } while (false)

// The same as ATTN_CHECK for a == b; the message ends with both values.
#define ATTN_CHECK_EQ(a, b, ...)                                                  \
  do {                                                                            \
    const auto attn_a = (a);                                                      \
    const auto attn_b = (b);                                                      \
    if (!(attn_a == attn_b))                                                      \
      ::attn::fail(__VA_ARGS__, ": ", #a " is ", attn_a, ", " #b " is ", attn_b); \
  } while (false)
