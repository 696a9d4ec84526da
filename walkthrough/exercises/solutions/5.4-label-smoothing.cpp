// ∂L/∂l_v = e^(l_v)/Σ_u e^(l_u) − q_v = p_v − q_v, and a mean over T tokens divides by T.
#include "support/exercise.h"

double smoothed_loss(const Tensor& logits, const std::vector<int>& targets, double epsilon,
                     Tensor& dlogits) {
  const double T = static_cast<double>(logits.rows()), V = static_cast<double>(logits.cols());
  double loss = 0;
  for (Index t = 0; t < logits.rows(); ++t) {
    double largest = logits(t, 0), sum = 0;
    for (Index v = 1; v < logits.cols(); ++v) largest = std::max(largest, logits(t, v));
    for (Index v = 0; v < logits.cols(); ++v) sum += std::exp(logits(t, v) - largest);
    const double log_sum = largest + std::log(sum);
    for (Index v = 0; v < logits.cols(); ++v) {
      const double q = epsilon / V + (v == targets[t] ? 1 - epsilon : 0);
      loss -= q * (logits(t, v) - log_sum) / T;
      dlogits(t, v) = (std::exp(logits(t, v) - log_sum) - q) / T;
    }
  }
  return loss;
}
