#pragma once

#include <chrono>

namespace attn {

// Seconds on a clock that never goes backward.
inline double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

}  // namespace attn
