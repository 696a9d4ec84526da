// Large allocations are checked against the available memory first: a system that runs out of
// memory kills whole programs.
#pragma once

#include <string>

#include "base/platform.h"

namespace attn {

// Throws Error if more bytes are needed than are available. The message begins with `what` and ends
// with `advice`.
void check_memory(double bytes, const std::string& what, const std::string& advice,
                  double available = platform::available_memory());

}  // namespace attn
