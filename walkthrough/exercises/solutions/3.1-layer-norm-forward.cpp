// The mean first, then the squared deviations. With x around 10⁹, both mean(x²) and μ² are about
// 10¹⁸, where neighbouring doubles are 128 apart, and their difference is noise.
#include "support/exercise.h"

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon,
                  Tensor& x_hat, Tensor& inv_std) {
  Tensor y = Tensor::zeros(x.shape());
  const double d = static_cast<double>(x.cols());
  for (Index t = 0; t < x.rows(); ++t) {
    double mean = 0, variance = 0;
    for (Index j = 0; j < x.cols(); ++j) mean += x(t, j);
    mean /= d;
    for (Index j = 0; j < x.cols(); ++j) variance += (x(t, j) - mean) * (x(t, j) - mean);
    variance /= d;
    inv_std[t] = 1 / std::sqrt(variance + epsilon);
    for (Index j = 0; j < x.cols(); ++j) {
      x_hat(t, j) = (x(t, j) - mean) * inv_std[t];
      y(t, j) = gamma[j] * x_hat(t, j) + beta[j];
    }
  }
  return y;
}
