// Layer normalisation                                                          ★ 20 min, §3.1
//
// Each row x of d numbers (one token) is normalised on its own:
//
//     μ = mean(x)     σ = √(mean((x − μ)²) + ε)     x̂ = (x − μ)/σ     y = γ ⊙ x̂ + β
//
// Return y [T, d], and fill x_hat [T, d] and inv_std [T] with x̂ and 1/σ, which the backward pass
// will need. gamma and beta are [d].
//
// Three traps: ε belongs under the root; the mean of squares is divided by d, not by d − 1; and
// mean(x²) − μ² is the same only on paper.
#include "support/exercise.h"

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon,
                  Tensor& x_hat, Tensor& inv_std) {
  not_yet();
}
