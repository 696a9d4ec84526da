// Numbers as people read them.
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
// "98.7 %": count as a part of total; "100.0 %" only if it is all of them.
std::string percent(Index count, Index total);
// "93.1 %" from 0.931
std::string share_text(double share);

}  // namespace attn
