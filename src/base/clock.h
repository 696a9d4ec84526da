#pragma once

#include <chrono>

namespace attn {

// Seconds on a clock that never goes backward.
inline double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace attn
