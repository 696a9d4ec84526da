// strtod and printf read and write doubles, because <charconv> of LLVM before version 20 has only
// integers; their locale and their leniency are undone.
#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/platform.h"

namespace attn {

std::optional<double> detail::double_in(std::string_view value) {
  // strtod also reads leading white space, a plus sign and hexadecimal digits.
  const std::string_view unsigned_part = value.substr(value.substr(0, 1) == "-" ? 1 : 0);
  const bool infinite_or_nan = unsigned_part.find_first_of("iInN") == 0;
  if (!infinite_or_nan && unsigned_part.find_first_of("0123456789.") != 0) return {};
  if (unsigned_part.find_first_of("xX") != unsigned_part.npos) return {};
  const std::string text(value);
  const char* end = nullptr;
  const double number = platform::read_double(text.c_str(), &end);
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
  // Every normal number keeps this many digits, and printf leaves out the zeros at their end: a
  // number that is shorter is found at once.
  const bool normal = std::fabs(value) >= (is_float ? Float::min() : Double::min());
  int digits = !normal ? 1 : is_float ? Float::digits10 : Double::digits10;
  for (;; ++digits) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    // Where the locale says so, a comma comes before the decimals.
    std::replace(buffer, buffer + sizeof buffer, ',', '.');
    const char* end = nullptr;
    const double read = platform::read_double(buffer, &end);
    const bool same =
        is_float ? static_cast<float>(read) == static_cast<float>(value) : read == value;
    if (same || digits == Double::max_digits10) return buffer;
  }
}

}  // namespace attn
