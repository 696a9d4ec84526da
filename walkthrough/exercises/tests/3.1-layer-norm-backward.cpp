// Properties first (they say which term is missing), then finite differences of the formula.
#include "support/checks.h"

static const exercises::Exercise layer_norm_backward_exercise(
    "3.1-layer-norm-backward", [](exercises::Checks& check) {
      using namespace exercises;
      constexpr Index T = 3, d = 5;
      constexpr double kEpsilon = 1e-5;
      Tensor x = random_tensor({T, d}, 1), gamma = random_tensor({d}, 2),
             beta = random_tensor({d}, 3);
      const Tensor dy = random_tensor({T, d}, 4);
      Tensor x_hat = Tensor::zeros({T, d}), inv_std = Tensor::zeros({T}), y = Tensor::zeros({T, d});
      const auto forward = [&] {
        for (Index t = 0; t < T; ++t) {
          double mean = 0, variance = 0;
          for (Index j = 0; j < d; ++j) mean += x(t, j) / d;
          for (Index j = 0; j < d; ++j) variance += (x(t, j) - mean) * (x(t, j) - mean) / d;
          inv_std[t] = 1 / std::sqrt(variance + kEpsilon);
          for (Index j = 0; j < d; ++j) {
            x_hat(t, j) = (x(t, j) - mean) * inv_std[t];
            y(t, j) = gamma[j] * x_hat(t, j) + beta[j];
          }
        }
        return weighted_sum(dy, y);
      };
      forward();
      Tensor dgamma = Tensor::zeros({d}), dbeta = Tensor::zeros({d});
      const Tensor kept_x_hat = x_hat, kept_inv_std = inv_std;
      const Tensor dx = layer_norm_backward(dy, gamma, kept_x_hat, kept_inv_std, dgamma, dbeta);

      check.claim("dβ adds up dy over the tokens");
      check.gradient("dbeta", dbeta, beta, forward, "y = γ ⊙ x̂ + β: β reaches y as it is.");
      check.claim("dγ adds up dy ⊙ x̂ over the tokens");
      check.gradient("dgamma", dgamma, gamma, forward, "y = γ ⊙ x̂ + β: what is γ multiplied by?");
      check.claim("a second call adds to dβ and dγ: both are twice as large");
      const Tensor once_beta = dbeta, once_gamma = dgamma;
      layer_norm_backward(dy, gamma, kept_x_hat, kept_inv_std, dgamma, dbeta);
      const std::string add = "Add to what is there: another batch may have put it there.";
      check.tensor("dbeta", dbeta, attn::test::sum_of(once_beta, once_beta), add);
      check.tensor("dgamma", dgamma, attn::test::sum_of(once_gamma, once_gamma), add);
      check.claim("each row of dx adds up to 0: a constant added to a token changes nothing");
      check.that(dx.shape() == x.shape(),
                 "dx has the shape " + to_string(dx.shape()) + ", not that of x.");
      for (Index t = 0; t < T; ++t) {
        double sum = 0, along = 0;
        for (Index j = 0; j < d; ++j) sum += dx(t, j);
        check.that(std::fabs(sum) < 1e-9,
                   "row " + std::to_string(t) + " sums to " + show(sum) +
                       ". The path through μ subtracts mean(γ ⊙ dy): is it there, with γ in it?");
        if (t == 0)
          check.claim("Σ dx ⊙ x̂ is nearly 0: stretching a token changes (nearly) nothing");
        for (Index j = 0; j < d; ++j) along += dx(t, j) * kept_x_hat(t, j);
        check.that(std::fabs(along) < 1e-3,
                   "in row " + std::to_string(t) + " it is " + show(along) +
                       ". The path through σ subtracts x̂ times mean(γ ⊙ dy ⊙ x̂).");
      }
      check.claim("dx agrees with finite differences");
      check.gradient("dx", dx, x, forward, "Is all of it divided by σ?");
    });
