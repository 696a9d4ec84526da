// y_to = Σ_i x_ti W_io + b_o. One x_ti reaches every y_to of its row, times W_io: dx = dy Wᵀ. One
// W_io reaches y_to for every t, times x_ti: dW = xᵀ dy. One b_o reaches y_to for every t, times 1.
#include "support/exercise.h"

Tensor linear_backward(const Tensor& dy, const Tensor& x, const Tensor& W, Tensor& dW, Tensor& db) {
  const Tensor found = product(transposed(x), dy);
  for (Index i = 0; i < dW.rows(); ++i) {
    for (Index o = 0; o < dW.cols(); ++o) dW(i, o) += found(i, o);
  }
  for (Index t = 0; t < dy.rows(); ++t) {
    for (Index o = 0; o < dy.cols(); ++o) db[o] += dy(t, o);
  }
  return product(dy, transposed(W));
}
