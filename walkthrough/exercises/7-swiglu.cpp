// SwiGLU, forward and backward                                                ★★ 25 min, §7
//
// The feed-forward network of many later models. One projection decides how much of another passes:
//
//     a = x W_g      b = x W₁      y = (swish(a) ⊙ b) W₂      swish(a) = a/(1 + e^−a)
//
// x [T, d_model]   W_g, W₁ [d_model, d_ff]   a, b [T, d_ff]   W₂ [d_ff, d_model]   y [T, d_model].
// Return y, and fill a and b. Then, given dy and what forward kept, return all gradients. (Return
// them; do not add.)
//
// Hints. swish(a) = a σ(a), with σ(a) = 1/(1 + e^−a) and σ' = σ (1 − σ). A product passes to each
// factor the gradient times the other factor. x was read twice.
#include "support/exercise.h"

struct SwigluGradients {
  Tensor dx, dWg, dW1, dW2;
};

Tensor swiglu(const Tensor& x, const Tensor& Wg, const Tensor& W1, const Tensor& W2, Tensor& a,
              Tensor& b) {
  not_yet();
}

SwigluGradients swiglu_backward(const Tensor& dy, const Tensor& x, const Tensor& a, const Tensor& b,
                                const Tensor& Wg, const Tensor& W1, const Tensor& W2) {
  not_yet();
}
