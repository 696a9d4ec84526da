// Checks large allocations first: a system that runs out of memory kills whole programs.
#pragma once

#include <string>

#include "base/check.h"
#include "base/format.h"
#include "base/platform.h"

namespace attn {

// Throws Error, "`what` … `advice`", if more bytes are needed than are available.
inline void check_memory(double bytes, const std::string& what, const std::string& advice,
                         double available = platform::available_memory()) {
  ATTN_CHECK(bytes <= available, what, " takes about ", fixed(bytes / 1e9, 2),
             " GB of memory, and ", fixed(available / 1e9, 2), " GB are available; ", advice);
}

}  // namespace attn
