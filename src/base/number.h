// Numbers as text, the same whatever the user's language.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "base/check.h"

namespace attn {

namespace detail {
std::optional<double> double_in(std::string_view value);
std::string shortest_digits(double value, bool is_float);
}  // namespace detail

// The number that all of `value` spells; nothing if it is not a number, or is out of range.
template <class Number>
std::optional<Number> number_in(std::string_view value) {
  if constexpr (std::is_floating_point_v<Number>) {
    return detail::double_in(value);
  } else {
    Number number{};
    const char* end = value.data() + value.size();
    const auto result = std::from_chars(value.data(), end, number);
    if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
    return number;
  }
}

// The same, but throws Error, naming what was expected, if there is none.
template <class Number>
Number parse_number(const std::string& value, const char* expected) {
  const std::optional<Number> number = number_in<Number>(value);
  ATTN_CHECK(number.has_value(), "expected ", expected, ", not '", value, "'");
  return *number;
}

// The shortest text that reads back as the same number.
template <class Number>
std::string shortest(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    return detail::shortest_digits(static_cast<double>(value), std::is_same_v<Number, float>);
  } else {
    return std::to_string(value);
  }
}

}  // namespace attn
