// The second rung: the same three loops in the order i, k, j.
//
// The naive product jumps down a column of B and adds to one sum. Here the inner loop goes along a
// row of B and a row of C: every number of a cache line is used, and neighbouring sums do not wait
// for each other. If B's rows are contiguous, the compiler vectorizes this loop by itself;
// each sum is still one chain over ascending k, so the bits stay the same.
#include "kernels/simd/loops.h"

namespace attn::ATTENTION_ISA_NAME {

void matmul_reordered(const MatmulProblem& p) {
  for (Index i = 0; i < p.m; ++i) {
    Real* c = p.c + i * p.c_stride;
    start_row(p, i);
    for (Index k = 0; k < p.k; ++k) {
      const Real a = p.a.data[i * p.a.row_stride + k * p.a.col_stride];
      const Real* b = p.b.data + k * p.b.row_stride;
      add_row(p.n, a, b, p.b.col_stride, c);
    }
    end_row(p, i);
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
