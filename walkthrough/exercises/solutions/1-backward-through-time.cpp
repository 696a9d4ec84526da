// Go from the last step to the first. dh holds what step t + 1 adds to the gradient of h_t. The
// first step's old state is 0, so it adds nothing to dU.
#include "support/exercise.h"

struct RecurrentGradients {
  Tensor dx, dW, dU, db;
};

RecurrentGradients backward_through_time(const Tensor& dh_out, const Tensor& x, const Tensor& h,
                                         const Tensor& W, const Tensor& U) {
  const Index T = h.rows(), n = h.cols();
  Tensor da = Tensor::zeros({T, n});
  Tensor dh = Tensor::zeros({1, n}), db = Tensor::zeros({n}), dU = Tensor::zeros({n, n});
  for (Index t = T; t-- > 0;) {
    Tensor da_t = Tensor::zeros({1, n});
    for (Index j = 0; j < n; ++j) {
      da_t[j] = (dh[j] + dh_out(t, j)) * (1 - h(t, j) * h(t, j));
      da(t, j) = da_t[j];
      db[j] += da_t[j];
    }
    for (Index i = 0; t > 0 && i < n; ++i) {
      for (Index j = 0; j < n; ++j) dU(i, j) += h(t - 1, i) * da_t[j];
    }
    dh = product(da_t, transposed(U));
  }
  return {product(da, transposed(W)), product(transposed(x), da), dU, db};
}
