// The fourth rung: blocks that are copied before they are used.
//
// A block of B is not in one piece: its rows are a row of B apart, often a power of two, so they
// fall into few sets of the cache and push each other out, and each row is on another page. A
// transposed B is worse: its rows cannot be loaded as vectors. Here a block is first copied into
// one piece, whatever the strides; it is used once for each row of C, so copying costs little.
#include "kernels/simd/loops.h"
#include "kernels/simd/matmul_block.h"

namespace attn::ATTENTION_ISA_NAME {

// a and b: memory for the copies.
void matmul_packed(const MatmulProblem& p, Real* a, Real* b) {
  constexpr Index kDepth = 128, kColumns = 512;
  static_assert(kDepth * kColumns <= kWorkspaceB && kDepth <= kWorkspaceA);
  for (Index i = 0; i < p.m; ++i) start_row(p, i);
  for (Index j0 = 0; j0 < p.n; j0 += kColumns) {
    const Index columns = p.n - j0 < kColumns ? p.n - j0 : kColumns;
    for (Index k0 = 0; k0 < p.k; k0 += kDepth) {
      const Index depth = p.k - k0 < kDepth ? p.k - k0 : kDepth;
      const Real* block = p.b.data + k0 * p.b.row_stride + j0 * p.b.col_stride;
      for (Index k = 0; k < depth; ++k) {
        for (Index j = 0; j < columns; ++j) {
          b[k * columns + j] = block[k * p.b.row_stride + j * p.b.col_stride];
        }
      }
      for (Index i = 0; i < p.m; ++i) {
        const Real* row = p.a.data + i * p.a.row_stride + k0 * p.a.col_stride;
        for (Index k = 0; k < depth; ++k) a[k] = row[k * p.a.col_stride];
        Real* c = p.c + i * p.c_stride + j0;
        for (Index k = 0; k < depth; ++k) add_row(columns, a[k], b + k * columns, 1, c);
      }
    }
  }
  for (Index i = 0; i < p.m; ++i) end_row(p, i);
}

}  // namespace attn::ATTENTION_ISA_NAME
