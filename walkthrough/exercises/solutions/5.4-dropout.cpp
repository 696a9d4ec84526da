// With the mask fixed, y_i = x_i · c_i with c_i = 0 or 1/(1 − p). So dx_i = dy_i · c_i: the same
// function.
#include "base/random.h"
#include "support/exercise.h"

void dropout_forward(std::uint64_t seed, double p, Tensor& x) {
  const attn::RandomStream random{seed, 0};
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] *= random.uniform(static_cast<std::uint64_t>(i)) < p ? 0 : 1 / (1 - p);
  }
}

void dropout_backward(std::uint64_t seed, double p, Tensor& dx) {
  dropout_forward(seed, p, dx);
}
