// The functions of the chosen instruction set (kernels/simd/rows.cpp).
#include "kernels/rows.h"

#include "kernels/isa.h"
#include "kernels/simd/table.h"

namespace attn {

void softmax_row(Index n, Real scale, Real* x) {
  kernels().softmax_row(n, scale, x);
}

void softmax_row_backward(Index n, Real scale, const Real* p, Real* dp) {
  kernels().softmax_row_backward(n, scale, p, dp);
}

void layer_norm_rows(Index rows, Index n, Real epsilon, const Real* x, const Real* gamma,
                     const Real* beta, Real* x_hat, Real* inv_std, Real* y) {
  kernels().layer_norm_rows(rows, n, epsilon, x, gamma, beta, x_hat, inv_std, y);
}

void layer_norm_rows_backward(Index rows, Index n, const Real* dy, const Real* gamma,
                              const Real* x_hat, const Real* inv_std, Real* dx) {
  kernels().layer_norm_rows_backward(rows, n, dy, gamma, x_hat, inv_std, dx);
}

void column_sums(Index rows, Index n, const Real* x, Real* sums) {
  kernels().column_sums(rows, n, x, sums);
}

void column_dots(Index rows, Index n, const Real* x, const Real* y, Real* sums) {
  kernels().column_dots(rows, n, x, y, sums);
}

void log_softmax_row(Index n, Real* x) {
  kernels().log_softmax_row(n, x);
}

RowLoss cross_entropy_row(Index n, Index target, Real epsilon, Real scale, Real* logits) {
  return kernels().cross_entropy_row(n, target, epsilon, scale, logits);
}

Index argmax_row(Index n, const Real* x) {
  return kernels().argmax_row(n, x);
}

Real largest_row(Index n, const Real* x) {
  return kernels().largest_row(n, x);
}

}  // namespace attn
