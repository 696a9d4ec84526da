// Numbers as people read them, and words as a shell does.
#pragma once

#include <string>

#include "base/real.h"

namespace attn {

// "1,234,567"
std::string grouped(Index number);
// "1 line", "1,234 lines"
std::string counted(Index number, const std::string& noun);
// "0A"
std::string hexadecimal(char byte);
// A number with `digits` digits after the decimal point.
std::string fixed(double number, int digits);
// "93.1 %" from 0.931; "99.9 %" from 0.9996, since "100.0 %" means that nothing is missing.
std::string share_text(double share);
// The same of count as a part of total; "–" if total is 0.
std::string percent(Index count, Index total);
// A word that a POSIX shell reads as this text.
std::string shell_word(const std::string& word);

}  // namespace attn
