// Digits in groups of three; shares that are shown as 100 % only if nothing is missing.
#include "base/format.h"

#include <algorithm>
#include <cstdio>

namespace attn {

std::string grouped(Index number) {
  std::string digits = std::to_string(number);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string counted(Index number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string hexadecimal(char byte) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  const unsigned number = static_cast<unsigned char>(byte);
  return {kDigits[number / 16], kDigits[number % 16]};
}

std::string fixed(double number, int digits) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, number);
  return buffer;
}

std::string percent(Index count, Index total) {
  if (total == 0) return "–";
  return share_text(static_cast<double>(count) / static_cast<double>(total));
}

std::string share_text(double share) {
  if (share < 1) share = std::min(share, 0.999);
  return fixed(100 * share, 1) + " %";
}

std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace attn
