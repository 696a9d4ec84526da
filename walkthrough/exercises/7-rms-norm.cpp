// RMSNorm                                                                     ★★ 25 min, §7
//
// Layer norm without the mean and without β. For each row x of d numbers (one token), on its own:
//
//     r = √(mean(x²) + ε)     x̂ = x/r     y = γ ⊙ x̂
//
// Return y [T, d], and fill x_hat [T, d] and inv_rms [T] with x̂ and 1/r, which the backward pass
// will need. gamma is [d].
//
// Then write its backward pass: given dy [T, d], return dx [T, d], and add to dgamma [d].
//
// Hints. Write g = γ ⊙ dy for the gradient of x̂. Each x_j reaches the x̂_l of its row along two
// paths: directly, if l = j, and through r. With ε inside, ∂r/∂x_j = x̂_j/d. Layer norm's third
// path, through the mean, is gone; which of its terms goes with it?
#include "support/exercise.h"

Tensor rms_norm(const Tensor& x, const Tensor& gamma, double epsilon, Tensor& x_hat,
                Tensor& inv_rms) {
  not_yet();
}

Tensor rms_norm_backward(const Tensor& dy, const Tensor& gamma, const Tensor& x_hat,
                         const Tensor& inv_rms, Tensor& dgamma) {
  not_yet();
}
