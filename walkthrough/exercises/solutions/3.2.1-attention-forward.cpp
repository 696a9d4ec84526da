// Three steps, one for each symbol of the formula: scores, weights, weighted mean.
#include "support/exercise.h"

Tensor attend(const Tensor& Q, const Tensor& K, const Tensor& V, Tensor& P) {
  P = product(Q, transposed(K));
  const double scale = 1 / std::sqrt(static_cast<double>(Q.cols()));
  for (Index i = 0; i < P.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < P.cols(); ++j) sum += P(i, j) = std::exp(scale * P(i, j));
    for (Index j = 0; j < P.cols(); ++j) P(i, j) /= sum;
  }
  return product(P, V);
}
