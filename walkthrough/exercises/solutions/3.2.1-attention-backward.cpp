// 1/√d_k multiplied S on the way forward, so it multiplies dS on the way back, and through dS it is
// in dQ and in dK. V never met it.
#include "support/exercise.h"

struct AttentionGradients {
  Tensor dQ, dK, dV;
};

AttentionGradients attend_backward(const Tensor& dO, const Tensor& Q, const Tensor& K,
                                   const Tensor& V, const Tensor& P) {
  Tensor dS = product(dO, transposed(V));  // dP so far
  const double scale = 1 / std::sqrt(static_cast<double>(Q.cols()));
  for (Index i = 0; i < P.rows(); ++i) {
    double mean = 0;
    for (Index j = 0; j < P.cols(); ++j) mean += P(i, j) * dS(i, j);
    for (Index j = 0; j < P.cols(); ++j) dS(i, j) = scale * P(i, j) * (dS(i, j) - mean);
  }
  return {product(dS, K), product(transposed(dS), Q), product(transposed(P), dO)};
}
