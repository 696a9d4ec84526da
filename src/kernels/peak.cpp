// The functions of the chosen instruction set (kernels/simd/peak.cpp).
#include "kernels/peak.h"

#include "kernels/isa.h"
#include "kernels/simd/table.h"

namespace attn {

double peak_multiply_adds(Index steps, Real* sink) {
  return kernels().peak_multiply_adds(steps, sink);
}

Real stream_sum(Index n, const Real* x) {
  return kernels().stream_sum(n, x);
}

void stream_triad(Index n, Real a, const Real* x, const Real* y, Real* z) {
  kernels().stream_triad(n, a, x, y, z);
}

}  // namespace attn
