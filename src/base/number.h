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

// number_in<double> by strtod, for standard libraries whose from_chars reads only integers: LLVM's
// before version 20.
std::optional<double> double_by_strtod(std::string_view value);

// The number that `value` spells, from its first character to its last; nothing if it is not a
// number, or is out of range.
template <class Number>
std::optional<Number> number_in(std::string_view value) {
#ifndef __cpp_lib_to_chars
  if constexpr (std::is_floating_point_v<Number>) {
    return double_by_strtod(value);
  } else
#endif
  {
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

// shortest() by printf, for standard libraries whose to_chars writes only integers: LLVM's before
// version 14, which Emscripten has when it makes the live page.
std::string shortest_by_printf(double value);
std::string shortest_by_printf(float value);

// The shortest text that reads back as the same number.
template <class Number>
std::string shortest(Number value) {
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
  if constexpr (std::is_floating_point_v<Number>) {
    return shortest_by_printf(value);
  } else
#endif
  {
    char buffer[40];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }
}

}  // namespace attn
