// da_l = Σ_j dp_j p_j (δ_jl − p_l) = p_l dp_l − p_l Σ_j p_j dp_j = p_l (dp_l − Σ_j p_j dp_j).
#include "support/exercise.h"

Tensor softmax_rows_backward(const Tensor& P, const Tensor& dP) {
  Tensor dA = Tensor::zeros(P.shape());
  for (Index i = 0; i < P.rows(); ++i) {
    double mean = 0;  // of dp, weighted by p
    for (Index j = 0; j < P.cols(); ++j) mean += P(i, j) * dP(i, j);
    for (Index j = 0; j < P.cols(); ++j) dA(i, j) = P(i, j) * (dP(i, j) - mean);
  }
  return dA;
}
