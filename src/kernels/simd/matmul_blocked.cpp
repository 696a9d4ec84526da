// The third rung: blocks that stay in the cache.
//
// The reordered product reads all of B for every row of C. When B no longer fits into the cache,
// each of those passes comes from memory. Here B is cut into blocks that do fit, and all rows of C
// use one block before the next is touched, so B comes from memory once. (C comes once for each
// block of k. Blocks follow each other in ascending k, so the bits stay the same.)
#include "kernels/simd/loops.h"

namespace attn::ATTENTION_ISA_NAME {

void matmul_blocked(const MatmulProblem& p) {
  constexpr Index kDepth = 128, kColumns = 512;  // a block of B: 256 KiB of floats
  for (Index i = 0; i < p.m; ++i) start_row(p, i);
  for (Index j0 = 0; j0 < p.n; j0 += kColumns) {
    const Index columns = p.n - j0 < kColumns ? p.n - j0 : kColumns;
    for (Index k0 = 0; k0 < p.k; k0 += kDepth) {
      const Index k_end = p.k - k0 < kDepth ? p.k : k0 + kDepth;
      for (Index i = 0; i < p.m; ++i) {
        Real* c = p.c + i * p.c_stride + j0;
        for (Index k = k0; k < k_end; ++k) {
          const Real a = p.a.data[i * p.a.row_stride + k * p.a.col_stride];
          const Real* b = p.b.data + k * p.b.row_stride + j0 * p.b.col_stride;
          add_row(columns, a, b, p.b.col_stride, c);
        }
      }
    }
  }
  for (Index i = 0; i < p.m; ++i) end_row(p, i);
}

}  // namespace attn::ATTENTION_ISA_NAME
