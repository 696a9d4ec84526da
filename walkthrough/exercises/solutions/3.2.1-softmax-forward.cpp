// e^(a−c)/Σ e^(a−c) = e^a/Σ e^a for every c. If c is the row's largest score, the largest power is
// e⁰ = 1: nothing overflows, and the sum is at least 1. But −∞ − (−∞) is NaN.
#include "support/exercise.h"

Tensor softmax_rows(const Tensor& A) {
  Tensor P = Tensor::zeros(A.shape());
  for (Index i = 0; i < A.rows(); ++i) {
    double largest = -HUGE_VAL, sum = 0;
    for (Index j = 0; j < A.cols(); ++j) largest = std::max(largest, A(i, j));
    if (largest == -HUGE_VAL) continue;
    for (Index j = 0; j < A.cols(); ++j) {
      P(i, j) = std::exp(A(i, j) - largest);
      sum += P(i, j);
    }
    for (Index j = 0; j < A.cols(); ++j) P(i, j) /= sum;
  }
  return P;
}
