// Shared by the plain loops: how a row of C begins, grows by a row of B, and ends.
#pragma once

#include "kernels/matmul.h"
#include "kernels/simd/simd.h"

namespace attn::ATTENTION_ISA_NAME {

// The sum that c[i, j] begins with.
static inline Real start_of(const MatmulProblem& p, Index i, Index j) {
  return p.accumulate ? p.c[i * p.c_stride + j] : 0;
}
// What a finished sum becomes. A NaN is not below 0, so ReLU lets it pass.
static inline Real end_of(const MatmulProblem& p, Index j, Real sum) {
  if (p.bias != nullptr) sum += p.bias[j];
  return p.relu && sum < 0 ? 0 : sum;
}

static inline void start_row(const MatmulProblem& p, Index i) {
  for (Index j = 0; j < p.n; ++j) p.c[i * p.c_stride + j] = start_of(p, i, j);
}
// c[j] ← fma(a, b[j * stride], c[j]). The compiler vectorizes the first loop, where the numbers
// are next to each other, but cannot vectorize the second.
static inline void add_row(Index n, Real a, const Real* b, Index stride, Real* __restrict c) {
  if (stride == 1) {
    for (Index j = 0; j < n; ++j) c[j] = fma(a, b[j], c[j]);
  } else {
    for (Index j = 0; j < n; ++j) c[j] = fma(a, b[j * stride], c[j]);
  }
}
static inline void end_row(const MatmulProblem& p, Index i) {
  if (p.bias == nullptr && !p.relu) return;
  for (Index j = 0; j < p.n; ++j) p.c[i * p.c_stride + j] = end_of(p, j, p.c[i * p.c_stride + j]);
}

}  // namespace attn::ATTENTION_ISA_NAME
