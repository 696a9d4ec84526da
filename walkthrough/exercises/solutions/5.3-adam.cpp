// Element by element. m and v keep the uncorrected means; the corrections are for this step only. ε
// is added to the root, not under it.
#include "support/exercise.h"

void adam_step(Index step, double rate, const Tensor& g, Tensor& w, Tensor& m, Tensor& v) {
  const double t = static_cast<double>(step), beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
  for (Index i = 0; i < w.elements(); ++i) {
    m[i] = beta1 * m[i] + (1 - beta1) * g[i];
    v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
    const double m_hat = m[i] / (1 - std::pow(beta1, t)), v_hat = v[i] / (1 - std::pow(beta2, t));
    w[i] -= rate * m_hat / (std::sqrt(v_hat) + epsilon);
  }
}
