// First steps by hand; then a matrix by the definition written as sums over the past.
#include "support/checks.h"

static const exercises::Exercise adam_exercise("5.3-adam", [](exercises::Checks& check) {
  using namespace exercises;
  Tensor w = tensor_of({2}, {5, 5}), m = Tensor::zeros({2}), v = Tensor::zeros({2});
  check.claim("step 1 moves each weight by the rate, against its gradient's sign");
  adam_step(1, 0.5, tensor_of({2}, {4, -0.01}), w, m, v);
  check.tensor("w", w, tensor_of({2}, {4.5, 5.5}),
               "m̂/√v̂ = ±1 at step 1, if both are corrected. Does it go downhill?", 1e-7);
  check.claim("m and v keep the uncorrected means");
  check.tensor("m", m, tensor_of({2}, {0.4, -0.001}), "(1 − 0.9) g.");
  check.tensor("v", v, tensor_of({2}, {0.32, 0.000002}), "(1 − 0.98) g².");
  check.claim("gradient 0 at step 2: m̂ = 0.36/0.19, v̂ = 0.3136/0.0396");
  w = tensor_of({1}, {0});
  m = tensor_of({1}, {0.4});
  v = tensor_of({1}, {0.32});
  adam_step(2, 1, tensor_of({1}, {0}), w, m, v);
  check.number("w", w[0], -(0.36 / 0.19) / std::sqrt(0.3136 / 0.0396), "1 − βᵗ with t = 2.", 1e-7);
  check.claim("a gradient of 1e-9 is as small as ε, so the step is halved");
  w = m = v = Tensor::zeros({1});
  adam_step(1, 1, tensor_of({1}, {1e-9}), w, m, v);
  check.number("w", w[0], -0.5, "ε is added to √v̂, not to v̂ under the root.");
  check.claim("ten random gradients of a matrix, against weighted sums over all of them");
  w = m = v = Tensor::zeros({2, 3});
  Tensor want = Tensor::zeros({2, 3});
  std::vector<Tensor> past;
  for (int t = 1; t <= 10; ++t) {
    past.push_back(random_tensor({2, 3}, static_cast<std::uint64_t>(t)));
    for (Index i = 0; i < want.elements(); ++i) {
      double mean = 0, square = 0, m_weights = 0, v_weights = 0;
      for (int s = 1; s <= t; ++s) {
        const double g = past[s - 1][i];
        mean += std::pow(0.9, t - s) * g;
        m_weights += std::pow(0.9, t - s);
        square += std::pow(0.98, t - s) * g * g;
        v_weights += std::pow(0.98, t - s);
      }
      want[i] -= 0.1 * (mean / m_weights) / (std::sqrt(square / v_weights) + 1e-9);
    }
    adam_step(t, 0.1, past.back(), w, m, v);
  }
  check.tensor("w", w, want, "m̂ and v̂ are weighted means of all gradients so far.", 1e-7);
});
