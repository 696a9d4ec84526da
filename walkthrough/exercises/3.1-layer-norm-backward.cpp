// Layer normalisation, backward                                              ★★★ 40 min, §3.1
//
// Forward, for each token's row x of d numbers:
//
//     μ = mean(x)     σ = √(mean((x − μ)²) + ε)     x̂ = (x − μ)/σ     y = γ ⊙ x̂ + β
//
// Forward kept x̂ [T, d] and 1/σ [T]. Given dy [T, d], return dx [T, d], and add to dgamma [d] and
// dbeta [d].
//
// Hints. Write g = γ ⊙ dy for the gradient of x̂. Each x_j reaches the x̂_l of its row along three
// paths: directly, through μ, and through σ. With ε inside, ∂σ/∂x_j = x̂_j/d. Collect the terms:
// you get g, minus one number for the whole row, minus x̂ times another number, all over σ.
#include "support/exercise.h"

Tensor layer_norm_backward(const Tensor& dy, const Tensor& gamma, const Tensor& x_hat,
                           const Tensor& inv_std, Tensor& dgamma, Tensor& dbeta) {
  not_yet();
}
