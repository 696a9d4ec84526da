// By hand, by properties, and by the library.
#include "layers/layer_norm.h"
#include "support/checks.h"

static const exercises::Exercise layer_norm_forward_exercise(
    "3.1-layer-norm-forward", [](exercises::Checks& check) {
      using namespace exercises;
      const Tensor ones = tensor_of({4}, {1, 1, 1, 1}), zeros = Tensor::zeros({4});
      Tensor x_hat = Tensor::zeros({1, 4}), inv_std = Tensor::zeros({1});
      check.claim("(1, 0, 0, 0) with ε = 0 becomes (√3, −1/√3, −1/√3, −1/√3)");
      const double root = std::sqrt(3.0);
      Tensor y = layer_norm(tensor_of({1, 4}, {1, 0, 0, 0}), ones, zeros, 0, x_hat, inv_std);
      check.tensor(
          "y", y, tensor_of({1, 4}, {root, -1 / root, -1 / root, -1 / root}),
          "μ = ¼ and the variance is (9 + 1 + 1 + 1)/16/4 = 3/16: divide by d, not by d − 1.");
      check.tensor("x_hat", x_hat, y, "γ = 1 and β = 0: x̂ is y.");
      check.number("inv_std[0]", inv_std[0], 4 / root, "1/σ, not σ.");
      check.claim("with ε = 1/16, σ is ½: ε is under the root");
      y = layer_norm(tensor_of({1, 4}, {1, 0, 0, 0}), ones, zeros, 0.0625, x_hat, inv_std);
      check.number("inv_std[0]", inv_std[0], 2, "√(3/16 + 1/16) = ½.");
      check.claim("a token of equal numbers becomes β");
      const Tensor beta = tensor_of({4}, {5, 6, 7, 8});
      y = layer_norm(tensor_of({1, 4}, {3, 3, 3, 3}), ones, beta, 1e-5, x_hat, inv_std);
      check.tensor("y", y, tensor_of({1, 4}, {5, 6, 7, 8}), "x̂ = 0 there.");
      check.claim("numbers around 10⁹ that differ by 1 survive, and so do small ones before them");
      x_hat = Tensor::zeros({2, 4});
      inv_std = Tensor::zeros({2});
      y = layer_norm(tensor_of({2, 4}, {0, 1, 0, 0, 1e9 + 1, 1e9, 1e9, 1e9}), ones, zeros, 0, x_hat,
                     inv_std);
      check.tensor("y", y,
                   tensor_of({2, 4}, {-1 / root, root, -1 / root, -1 / root, root, -1 / root,
                                      -1 / root, -1 / root}),
                   "Subtract the mean before you square.", 1e-6);
      check.claim("three tokens, each on its own, as the library computes them");
      attn::LayerNorm library(5);
      attn::test::randomise(library, 1);
      const Tensor x = random_tensor({3, 5}, 2);
      attn::LayerNorm::Cache cache;
      const Tensor want = library.forward(x, attn::DropoutMasks(), cache);
      x_hat = random_tensor({3, 5}, 3);  // what was there does not matter
      inv_std = random_tensor({3}, 4);
      y = layer_norm(x, library.gamma.value, library.beta.value, 1e-5, x_hat, inv_std);
      check.tensor("y", y, want, "Is the mean over a row, not over a column?", 1e-7);
      check.tensor("x_hat", x_hat, cache.x_hat, "x̂ itself, before γ and β.", 1e-7);
      check.tensor("inv_std", inv_std, cache.inv_std, "One for each token, with ε in it.", 1e-7);
    });
