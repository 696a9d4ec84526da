// The loss with label smoothing, and its gradient                              ★★ 25 min, §5.4
//
//     p = softmax(l)      q_v = ε/V, and 1 − ε more for the right token      L = −Σ_v q_v ln p_v
//
// logits [T, V] has one row per token; targets [T] are the right tokens. Return the *mean* loss
// over the T tokens, and fill in dlogits [T, V], the gradient of that mean.
//
// Derive it first: L = ln Σ_u e^(l_u) − Σ_v q_v l_v, because the q_v add up to 1. What is ∂L/∂l_v?
// Logits may be large: ln Σ e^l = c + ln Σ e^(l−c).
#include "support/exercise.h"

double smoothed_loss(const Tensor& logits, const std::vector<int>& targets, double epsilon,
                     Tensor& dlogits) {
  not_yet();
}
