// What a core can do at most. A multiply-add takes four cycles or so and two can start in each, so
// at least eight must be under way that do not wait for each other: here twelve, which with their
// two operands fit the 16 registers of AVX2.
#include "kernels/kernels.h"
#include "kernels/simd/lanes.h"

namespace attn::ATTENTION_ISA_NAME {

double peak_multiply_adds(Index steps, Real* sink) {
  constexpr int kChains = 12;
  // x ← x/2 + 1 tends to 2, whatever x is at first: no infinities, and nothing too small.
  const Vector half = broadcast(Real(0.5)), one = broadcast(1);
  Vector chain[kChains];
#pragma GCC unroll 16
  for (int i = 0; i < kChains; ++i) chain[i] = broadcast(static_cast<Real>(i));
  for (Index step = 0; step < steps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) chain[i] = fma(chain[i], half, one);
  }
  Vector sum{};
#pragma GCC unroll 16
  for (int i = 0; i < kChains; ++i) sum = sum + chain[i];
  *sink = sum[0];
  return 2.0 * static_cast<double>(steps * kChains * kWidth);
}

Real stream_sum(Index n, const Real* x) {
  constexpr Index kSums = 4;  // so that additions do not wait for each other
  Lanes sums[kSums] = {lanes(0), lanes(0), lanes(0), lanes(0)};
  Index i = 0;
  for (; i + kSums * kLanes <= n; i += kSums * kLanes) {
#pragma GCC unroll 16
    for (Index s = 0; s < kSums; ++s) sums[s] = sums[s] + load_lanes(x + i + s * kLanes);
  }
  for (; i < n; i += kLanes) sums[0] = sums[0] + load_lanes(x + i, n - i);
  return first(sum((sums[0] + sums[1]) + (sums[2] + sums[3])));
}

}  // namespace attn::ATTENTION_ISA_NAME
