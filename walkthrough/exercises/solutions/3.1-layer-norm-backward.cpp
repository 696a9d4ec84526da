// x̂_l = (x_l − μ)/σ, so ∂x̂_l/∂x_j = (δ_lj − 1/d)/σ − (x_l − μ)/σ² · x̂_j/d
//                                  = (δ_lj − 1/d − x̂_l x̂_j/d)/σ.
// dx_j = Σ_l g_l ∂x̂_l/∂x_j = (g_j − mean(g) − x̂_j mean(g ⊙ x̂))/σ.
#include "support/exercise.h"

Tensor layer_norm_backward(const Tensor& dy, const Tensor& gamma, const Tensor& x_hat,
                           const Tensor& inv_std, Tensor& dgamma, Tensor& dbeta) {
  Tensor dx = Tensor::zeros(dy.shape());
  const double d = static_cast<double>(dy.cols());
  for (Index t = 0; t < dy.rows(); ++t) {
    double mean_g = 0, mean_g_x_hat = 0;
    for (Index j = 0; j < dy.cols(); ++j) {
      const double g = gamma[j] * dy(t, j);
      mean_g += g / d;
      mean_g_x_hat += g * x_hat(t, j) / d;
      dgamma[j] += dy(t, j) * x_hat(t, j);
      dbeta[j] += dy(t, j);
    }
    for (Index j = 0; j < dy.cols(); ++j) {
      const double g = gamma[j] * dy(t, j);
      dx(t, j) = (g - mean_g - x_hat(t, j) * mean_g_x_hat) * inv_std[t];
    }
  }
  return dx;
}
