// x̂_l = x_l/r, so ∂x̂_l/∂x_j = δ_lj/r − x_l/r² · x̂_j/d = (δ_lj − x̂_l x̂_j/d)/r.
// dx_j = Σ_l g_l ∂x̂_l/∂x_j = (g_j − x̂_j mean(g ⊙ x̂))/r: layer norm's, without mean(g).
#include "support/exercise.h"

Tensor rms_norm(const Tensor& x, const Tensor& gamma, double epsilon, Tensor& x_hat,
                Tensor& inv_rms) {
  Tensor y = Tensor::zeros(x.shape());
  const double d = static_cast<double>(x.cols());
  for (Index t = 0; t < x.rows(); ++t) {
    double mean_square = 0;
    for (Index j = 0; j < x.cols(); ++j) mean_square += x(t, j) * x(t, j) / d;
    inv_rms[t] = 1 / std::sqrt(mean_square + epsilon);
    for (Index j = 0; j < x.cols(); ++j) {
      x_hat(t, j) = x(t, j) * inv_rms[t];
      y(t, j) = gamma[j] * x_hat(t, j);
    }
  }
  return y;
}

Tensor rms_norm_backward(const Tensor& dy, const Tensor& gamma, const Tensor& x_hat,
                         const Tensor& inv_rms, Tensor& dgamma) {
  Tensor dx = Tensor::zeros(dy.shape());
  const double d = static_cast<double>(dy.cols());
  for (Index t = 0; t < dy.rows(); ++t) {
    double mean_g_x_hat = 0;
    for (Index j = 0; j < dy.cols(); ++j) {
      mean_g_x_hat += gamma[j] * dy(t, j) * x_hat(t, j) / d;
      dgamma[j] += dy(t, j) * x_hat(t, j);
    }
    for (Index j = 0; j < dy.cols(); ++j) {
      dx(t, j) = (gamma[j] * dy(t, j) - x_hat(t, j) * mean_g_x_hat) * inv_rms[t];
    }
  }
  return dx;
}
