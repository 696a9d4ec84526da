// Memory is asked for before it is taken: a system that has none left stops whole programs.
#pragma once

#include <string>

#include "base/platform.h"

namespace attn {

// Throws Error, which begins with `what` and ends with `advice`, if so many bytes are more than is
// available.
void check_memory(double bytes, const std::string& what, const std::string& advice,
                  double available = platform::available_memory());

}  // namespace attn
