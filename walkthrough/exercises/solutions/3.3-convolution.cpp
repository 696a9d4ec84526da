// With k = 1 the only neighbour of a token is itself: y_t = x_t W_0 + b, a linear layer.
#include "support/exercise.h"

Tensor convolution(const Tensor& x, const std::vector<Tensor>& W, const Tensor& b) {
  const Index T = x.rows(), k = static_cast<Index>(W.size());
  Tensor y = Tensor::zeros({T, b.elements()});
  for (Index t = 0; t < T; ++t) {
    for (Index o = 0; o < y.cols(); ++o) y(t, o) = b[o];
    for (Index s = 0; s < k; ++s) {
      const Index from = t + s - k / 2;
      if (from < 0 || from >= T) continue;
      const Tensor& matrix = W[s];
      for (Index i = 0; i < x.cols(); ++i) {
        for (Index o = 0; o < y.cols(); ++o) y(t, o) += x(from, i) * matrix(i, o);
      }
    }
  }
  return y;
}
