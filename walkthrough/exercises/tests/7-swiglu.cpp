// One unit by hand, where the exponential is 3; numbers that overflow; finite differences.
#include "support/checks.h"

static const exercises::Exercise swiglu_exercise("7-swiglu", [](exercises::Checks& check) {
  using namespace exercises;
  const double ln3 = std::log(3.0);
  const Tensor one = tensor_of({1, 1}, {1}), w = tensor_of({1, 1}, {ln3}),
               four = tensor_of({1, 1}, {4}), two = tensor_of({1, 1}, {2});
  Tensor a = Tensor::zeros({1, 1}), b = Tensor::zeros({1, 1});
  check.claim("x = 1, W_g = ln 3, W₁ = 4, W₂ = 2: σ is ¾, so y = ¾ ln 3 · 4 · 2");
  check.tensor("y", swiglu(one, w, four, two, a, b), tensor_of({1, 1}, {6 * ln3}),
               "swish(a) is a times σ(a), and e^−ln 3 = 1/3.");
  check.tensor("a", a, w, "a = x W_g, before the swish.");
  check.tensor("b", b, four, "b = x W₁.");
  check.claim("dy = 1: dW₂ = 3 ln 3, dW₁ = 3/2 ln 3, dW_g = 6 + 3/2 ln 3");
  const SwigluGradients small = swiglu_backward(one, one, a, b, w, four, two);
  check.tensor("dW2", small.dW2, tensor_of({1, 1}, {3 * ln3}), "W₂ was multiplied by ¾ ln 3 · 4.");
  check.tensor("dW1", small.dW1, tensor_of({1, 1}, {1.5 * ln3}), "2 · ¾ ln 3.");
  check.tensor("dWg", small.dWg, tensor_of({1, 1}, {6 + 1.5 * ln3}),
               "2 · 4 · swish'(ln 3), and swish' = σ + a σ (1 − σ) = ¾ + 3/16 ln 3.");
  check.claim("dx is the sum of the paths through the gate and through b");
  check.tensor("dx", small.dx, tensor_of({1, 1}, {(6 + 1.5 * ln3) * ln3 + 6 * ln3}),
               "da · ln 3 + db · 4.");

  check.claim("a = 1000 and a = −1000 are not NaN: the gate is open, or shut");
  for (const double large : {1000.0, -1000.0}) {
    const Tensor x = tensor_of({1, 1}, {large});
    const double open = large > 0 ? 1 : 0;
    check.tensor("y", swiglu(x, one, one, one, a, b), tensor_of({1, 1}, {open * large * large}),
                 "e^1000 is ∞, and ∞/∞ is NaN; 1/(1 + ∞) is 0.");
    check.tensor("a", a, x, "a = x W_g, as it is, whatever a was before.");
    const SwigluGradients far = swiglu_backward(one, x, a, b, one, one, one);
    const Tensor want = tensor_of({1, 1}, {open * large * large});
    check.tensor("dWg", far.dWg, want, "Far out, swish' is 1 or 0.");
    check.tensor("dW1", far.dW1, want, "Far out, swish(a) is a or 0, even in backward.");
    check.tensor("dW2", far.dW2, want, "Far out, swish(a) is a or 0, even in backward.");
  }

  constexpr Index T = 4, d_model = 3, d_ff = 5;
  Tensor x = random_tensor({T, d_model}, 1), Wg = random_tensor({d_model, d_ff}, 2),
         W1 = random_tensor({d_model, d_ff}, 3), W2 = random_tensor({d_ff, d_model}, 4);
  const Tensor dy = random_tensor({T, d_model}, 5);
  a = b = Tensor::zeros({T, d_ff});
  const auto loss = [&] { return weighted_sum(dy, swiglu(x, Wg, W1, W2, a, b)); };
  loss();
  const Tensor kept_a = a, kept_b = b;
  const SwigluGradients found = swiglu_backward(dy, x, kept_a, kept_b, Wg, W1, W2);
  check.claim("d_model = 3, d_ff = 5, four tokens: all four agree with finite differences");
  check.gradient("dW2", found.dW2, W2, loss, "dW₂ = (swish(a) ⊙ b)ᵀ dy.");
  check.gradient("dW1", found.dW1, W1, loss, "dW₁ = xᵀ db.");
  check.gradient("dWg", found.dWg, Wg, loss, "dW_g = xᵀ da.");
  check.gradient("dx", found.dx, x, loss, "dx = da W_gᵀ + db W₁ᵀ.");
});
