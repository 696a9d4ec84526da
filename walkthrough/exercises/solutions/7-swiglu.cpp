// swish'(a) = σ + a σ (1 − σ). The gate gets its gradient times b, and b gets its own times the
// gate; dx is the sum of the paths through both.
#include "support/exercise.h"

struct SwigluGradients {
  Tensor dx, dWg, dW1, dW2;
};

inline double sigma(double a) {
  return 1 / (1 + std::exp(-a));
}

// swish(a) ⊙ b
inline Tensor gated(const Tensor& a, const Tensor& b) {
  Tensor h = b;
  for (Index i = 0; i < h.elements(); ++i) h[i] *= a[i] * sigma(a[i]);
  return h;
}

Tensor swiglu(const Tensor& x, const Tensor& Wg, const Tensor& W1, const Tensor& W2, Tensor& a,
              Tensor& b) {
  a = product(x, Wg);
  b = product(x, W1);
  return product(gated(a, b), W2);
}

SwigluGradients swiglu_backward(const Tensor& dy, const Tensor& x, const Tensor& a, const Tensor& b,
                                const Tensor& Wg, const Tensor& W1, const Tensor& W2) {
  const Tensor dh = product(dy, transposed(W2));
  Tensor da = dh, db = dh;
  for (Index i = 0; i < dh.elements(); ++i) {
    const double s = sigma(a[i]);
    da[i] *= b[i] * (s + a[i] * s * (1 - s));
    db[i] *= a[i] * s;
  }
  Tensor dx = product(da, transposed(Wg));
  const Tensor other = product(db, transposed(W1));
  for (Index i = 0; i < dx.elements(); ++i) dx[i] += other[i];
  return {dx, product(transposed(x), da), product(transposed(x), db),
          product(transposed(gated(a, b)), dy)};
}
