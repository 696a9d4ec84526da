// strtod and printf read and write doubles, because <charconv> of LLVM before version 20 has only
// integers; their locale and their leniency are undone.
#include "base/number.h"

#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace attn {

std::optional<double> detail::double_in(std::string_view value) {
  // strtod also reads leading white space, a plus sign, hexadecimal and a locale's decimal comma.
  const std::string_view unsigned_part = value.substr(value.substr(0, 1) == "-" ? 1 : 0);
  const bool infinite_or_nan = unsigned_part.find_first_of("iInN") == 0;
  const bool numeric = unsigned_part.find_first_of("0123456789.") == 0 &&
                       unsigned_part.find_first_not_of("0123456789.eE+-") == value.npos;
  if (!numeric && !infinite_or_nan) return {};
  std::string text(value);
  const std::size_t point = text.find('.');
  if (point != text.npos) text.replace(point, 1, std::localeconv()->decimal_point);
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return {};
  // Too large for a double, or so small that strtod made it 0.
  if (std::isinf(number) && !infinite_or_nan) return {};
  const std::string_view digits = unsigned_part.substr(0, unsigned_part.find_first_of("eE"));
  if (number == 0 && digits.find_first_of("123456789") != digits.npos) return {};
  return number;
}

std::string detail::shortest_digits(double value, bool is_float) {
  using Double = std::numeric_limits<double>;
  using Float = std::numeric_limits<float>;
  // Normal numbers keep this many digits, and printf drops final zeros, so this finds short ones.
  const bool normal = std::fabs(value) >= (is_float ? Float::min() : Double::min());
  int digits = !normal ? 1 : is_float ? Float::digits10 : Double::digits10;
  for (;; ++digits) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    std::string text = buffer;
    const std::string decimal_point = std::localeconv()->decimal_point;
    const std::size_t point = text.find(decimal_point);
    if (point != text.npos) text.replace(point, decimal_point.size(), ".");
    const double read = double_in(text).value_or(0);  // 0: digits rounded up, beyond all doubles
    const bool same =
        is_float ? static_cast<float>(read) == static_cast<float>(value) : read == value;
    if (same || digits == Double::max_digits10) return text;
  }
}

}  // namespace attn
