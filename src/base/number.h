// Numbers as text, the same whatever the user's language.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/check.h"

namespace attn {

// The number that all of `value` spells; nothing if it spells none, or one out of range.
template <class Number>
std::optional<Number> number_in(std::string_view value) {
  Number number{};
  const char* end = value.data() + value.size();
  const auto result = std::from_chars(value.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}
template <>
std::optional<double> number_in(std::string_view value);

// The number. Throws Error, naming what was expected, if `value` is not one.
template <class Number>
Number parse_number(const std::string& value, const char* expected) {
  const std::optional<Number> number = number_in<Number>(value);
  ATTN_CHECK(number.has_value(), "expected ", expected, ", not '", value, "'");
  return *number;
}

// The shortest text that reads back as the same number.
template <class Number>
std::string shortest(Number value) {
  char buffer[40];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace attn
