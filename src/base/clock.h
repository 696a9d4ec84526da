#pragma once

namespace attn {

// Seconds on a clock that never goes backward.
double now();

}  // namespace attn
