// Query i is at position n − m + i, so the first n − m + i + 1 keys are legal, or none if that is
// less than 1. The loops simply end there: nothing behind the mask is ever read.
#include "support/exercise.h"

Tensor causal_weights(const Tensor& S) {
  const Index m = S.rows(), n = S.cols();
  Tensor P = Tensor::zeros({m, n});
  for (Index i = 0; i < m; ++i) {
    const Index legal = std::max<Index>(0, n - m + i + 1);
    double sum = 0;
    for (Index j = 0; j < legal; ++j) sum += std::exp(S(i, j));
    for (Index j = 0; j < legal; ++j) P(i, j) = std::exp(S(i, j)) / sum;
  }
  return P;
}
