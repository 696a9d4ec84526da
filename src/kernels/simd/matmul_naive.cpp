// The first rung: the definition of a product, c[i,j] = Σ_k a[i,k] b[k,j], as three loops.
//
// It is slow for two reasons. Each fused multiply-add waits four cycles for the one before it,
// since all go into one sum; a core could have started eight vectors of them meanwhile. And one
// step of k is a whole row of B further on in memory: nearly every step needs another cache line,
// and uses one number of it. (The compiler must not reorder the sum, so it cannot use vectors.)
#include "kernels/simd/loops.h"

namespace attn::ATTENTION_ISA_NAME {

void matmul_naive(const MatmulProblem& p) {
  for (Index i = 0; i < p.m; ++i) {
    for (Index j = 0; j < p.n; ++j) {
      const Real* a = p.a.data + i * p.a.row_stride;
      const Real* b = p.b.data + j * p.b.col_stride;
      Real sum = start_of(p, i, j);
      for (Index k = 0; k < p.k; ++k) {
        sum = fma(a[k * p.a.col_stride], b[k * p.b.row_stride], sum);
      }
      p.c[i * p.c_stride + j] = end_of(p, j, sum);
    }
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
