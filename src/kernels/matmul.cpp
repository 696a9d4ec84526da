#include "kernels/matmul.h"

#include "base/parallel.h"
#include "kernels/isa.h"
#include "kernels/simd/table.h"

namespace attn {

void matmul_naive(const MatmulProblem& problem) {
  kernels().matmul_naive(problem);
}
void matmul_reordered(const MatmulProblem& problem) {
  kernels().matmul_reordered(problem);
}
void matmul_blocked(const MatmulProblem& problem) {
  kernels().matmul_blocked(problem);
}
void matmul_packed(const MatmulProblem& problem) {
  kernels().matmul_packed(problem);
}
void matmul_simd(const MatmulProblem& problem) {
  kernels().matmul_simd(problem);
}

void matmul(const MatmulProblem& problem) {
  constexpr Index kRows = 32;
  if (problem.m * problem.n * problem.k < 1 << 18) return matmul_simd(problem);
  parallel_ranges(problem.m, kRows, [&](Index begin, Index end) {
    MatmulProblem part = problem;
    part.m = end - begin;
    part.a.data += begin * part.a.row_stride;
    part.c += begin * part.c_stride;
    matmul_simd(part);
  });
}

}  // namespace attn
