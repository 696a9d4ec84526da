// The definition of a product, c[i,j] = Σ_k a[i,k] b[k,j], as three loops.
//
// It is slow because of where it reads: with B row-major, two steps of the inner loop read B a
// whole row apart, so nearly every step waits for another cache line, of which it uses one number.
// And each step needs the sum of the step before, so the processor's other units have nothing to
// do.
#include "kernels/simd/functions.h"
#include "kernels/simd/simd.h"

namespace attn::ATTENTION_ISA_NAME {

void matmul_naive(const MatmulProblem& p) {
  for (Index i = 0; i < p.m; ++i) {
    for (Index j = 0; j < p.n; ++j) {
      Real sum = p.accumulate ? p.c[i * p.c_stride + j] : 0;
      for (Index k = 0; k < p.k; ++k) {
        sum = fma(p.a.data[i * p.a.row_stride + k * p.a.col_stride],
                  p.b.data[k * p.b.row_stride + j * p.b.col_stride], sum);
      }
      if (p.bias != nullptr) sum += p.bias[j];
      if (p.relu && sum < 0) sum = 0;
      p.c[i * p.c_stride + j] = sum;
    }
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
