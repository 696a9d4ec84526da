// By hand, against layer norm where the two agree, by a property, and by finite differences.
#include "layers/layer_norm.h"
#include "support/checks.h"

static const exercises::Exercise rms_norm_exercise("7-rms-norm", [](exercises::Checks& check) {
  using namespace exercises;
  Tensor x_hat = Tensor::zeros({1, 4}), inv_rms = Tensor::zeros({1});
  const Tensor ones = tensor_of({4}, {1, 1, 1, 1});
  check.claim("(3, 4, 0, 0) with ε = 0 becomes (1.2, 1.6, 0, 0)");
  Tensor y = rms_norm(tensor_of({1, 4}, {3, 4, 0, 0}), ones, 0, x_hat, inv_rms);
  check.tensor("y", y, tensor_of({1, 4}, {1.2, 1.6, 0, 0}),
               "The mean of the squares is 25/4, so r = 5/2. No mean is subtracted.");
  check.tensor("x_hat", x_hat, y, "γ = 1: x̂ is y.");
  check.number("inv_rms[0]", inv_rms[0], 0.4, "1/r, not r.");
  check.claim("with ε = 3, (1, −1, 1, −1) has r = 2: ε is under the root");
  rms_norm(tensor_of({1, 4}, {1, -1, 1, -1}), ones, 3, x_hat, inv_rms);
  check.number("inv_rms[0]", inv_rms[0], 0.5, "√(1 + 3) = 2.");
  check.claim("a token of equal numbers becomes γ, while layer norm makes it β");
  const Tensor gamma_4 = tensor_of({4}, {5, 6, 7, 8});
  y = rms_norm(tensor_of({1, 4}, {3, 3, 3, 3}), gamma_4, 0, x_hat, inv_rms);
  check.tensor("y", y, tensor_of({1, 4}, {5, 6, 7, 8}), "x̂ = 1 there: 3/√9.");

  constexpr Index T = 3, d = 5;
  Tensor x = random_tensor({T, d}, 1), gamma = random_tensor({d}, 2);
  check.claim("tokens with a mean of 0 become what the library's layer norm makes of them");
  Tensor centred = x;
  for (Index t = 0; t < T; ++t) {
    double mean = 0;
    for (Index j = 0; j < d; ++j) mean += x(t, j) / d;
    for (Index j = 0; j < d; ++j) centred(t, j) -= mean;
  }
  attn::LayerNorm library(d);
  library.gamma.value = gamma;
  attn::LayerNorm::Cache cache;
  const Tensor want = library.forward(centred, attn::DropoutMasks(), cache);
  x_hat = random_tensor({T, d}, 6);  // what was there does not matter
  inv_rms = random_tensor({T}, 7);
  check.tensor("y", rms_norm(centred, gamma, 1e-5, x_hat, inv_rms), want,
               "Is the mean of the squares over a row, and divided by d?", 1e-7);
  check.tensor("x_hat", x_hat, cache.x_hat, "x̂ itself, before γ.", 1e-7);
  check.tensor("inv_rms", inv_rms, cache.inv_std, "One for each token, with ε in it.", 1e-7);

  const Tensor dy = random_tensor({T, d}, 4);
  const auto forward = [&] { return weighted_sum(dy, rms_norm(x, gamma, 1e-5, x_hat, inv_rms)); };
  forward();
  const Tensor kept_x_hat = x_hat, kept_inv_rms = inv_rms;
  const Tensor before = random_tensor({d}, 5);
  Tensor dgamma = before;
  const Tensor dx = rms_norm_backward(dy, gamma, kept_x_hat, kept_inv_rms, dgamma);
  check.claim("dγ keeps what it held, and dy ⊙ x̂ of all tokens is added to it");
  for (Index j = 0; j < d; ++j) dgamma[j] -= before[j];
  check.gradient("what was added to dgamma", dgamma, gamma, forward,
                 "y = γ ⊙ x̂: what is γ multiplied by? Is it += everywhere?");
  check.claim("Σ dx ⊙ x̂ is nearly 0: stretching a token changes (nearly) nothing");
  check.that(dx.shape() == x.shape(),
             "dx has the shape " + to_string(dx.shape()) + ", not that of x.");
  for (Index t = 0; t < T; ++t) {
    double along = 0;
    for (Index j = 0; j < d; ++j) along += dx(t, j) * kept_x_hat(t, j);
    check.that(std::fabs(along) < 1e-3,
               "in row " + std::to_string(t) + " it is " + show(along) +
                   ". The path through r subtracts x̂ times mean(γ ⊙ dy ⊙ x̂).");
  }
  check.claim("dx agrees with finite differences");
  check.gradient("dx", dx, x, forward,
                 "All of it is divided by r, and nothing goes through a mean of x.");
});
