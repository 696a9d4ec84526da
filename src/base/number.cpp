// <charconv> knows no locale. Where a standard library's reads only integers, strtod reads the
// others, and its locale and its leniency are undone.
#include "base/number.h"

#include <cmath>

#include "base/platform.h"

namespace attn {

std::optional<double> double_by_strtod(std::string_view value) {
  // strtod also reads leading white space, a plus sign and hexadecimal digits.
  const std::string unsigned_part(value.substr(value.substr(0, 1) == "-" ? 1 : 0));
  const bool infinite_or_nan = unsigned_part.find_first_of("iInN") == 0;
  if (!infinite_or_nan && unsigned_part.find_first_of("0123456789.") != 0) return {};
  if (unsigned_part.find_first_of("xX") != unsigned_part.npos) return {};
  const std::string text(value);
  const char* end = nullptr;
  const double number = platform::read_double(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return {};
  // Too large for a double, or so small that strtod made it 0.
  if (std::isinf(number) && !infinite_or_nan) return {};
  const std::string digits = unsigned_part.substr(0, unsigned_part.find_first_of("eE"));
  if (number == 0 && digits.find_first_of("123456789") != digits.npos) return {};
  return number;
}

}  // namespace attn
