#include "kernels/simd/functions.h"
#include "kernels/simd/simd.h"

namespace attn::ATTENTION_ISA_NAME {

void matmul_simd(const MatmulProblem& p) {
  if (p.b.col_stride != 1) return ATTENTION_ISA_NAME::matmul_naive(p);
  constexpr Index kRows = 4;
  for (Index i0 = 0; i0 < p.m; i0 += kRows) {
    const Index rows = p.m - i0 < kRows ? p.m - i0 : kRows;
    for (Index j = 0; j < p.n; j += kWidth) {
      const Index width = p.n - j < kWidth ? p.n - j : kWidth;
      Vector c[kRows] = {};
      if (p.accumulate) {
        for (Index i = 0; i < rows; ++i) c[i] = load_part(p.c + (i0 + i) * p.c_stride + j, width);
      }
      for (Index k = 0; k < p.k; ++k) {
        const Real* row = p.b.data + k * p.b.row_stride + j;
        const Vector b = width == kWidth ? load(row) : load_part(row, width);
        for (Index i = 0; i < kRows; ++i) {
          const Index used = i0 + (i < rows ? i : 0);
          c[i] = fma(broadcast(p.a.data[used * p.a.row_stride + k * p.a.col_stride]), b, c[i]);
        }
      }
      for (Index i = 0; i < rows; ++i) {
        if (p.bias != nullptr) c[i] = c[i] + load_part(p.bias + j, width);
        if (p.relu) c[i] = max(Vector{}, c[i]);
        store_part(p.c + (i0 + i) * p.c_stride + j, c[i], width);
      }
    }
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
