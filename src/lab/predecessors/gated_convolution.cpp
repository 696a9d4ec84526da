// h = GLU(Convolution(Dropout(x)))
#include "lab/predecessors/gated_convolution.h"

#include <cmath>
#include <utility>

#include "lab/predecessors/gated_linear_unit.h"

namespace attn {

// N(0, 4 (1 − p)/n) for sums of n terms, §3.5: gates that are half open quarter the variance.
GatedConvolution::GatedConvolution(Index d_model, const Window& window, double p_drop_)
    : convolution(d_model, 2 * d_model, window), p_drop(p_drop_) {
  convolution.taps.weight.start = Parameter::Start::normal;
  convolution.taps.weight.scale =
      std::sqrt(4 * (1 - p_drop) / static_cast<double>(window.width * d_model));
}

Tensor GatedConvolution::forward(const Tensor& x, const Offsets& offsets, const Pass& pass,
                                 Cache& cache) const {
  Tensor u = x;
  const DropoutMask mask = pass.drop(p_drop, u);
  Tensor a = convolution.forward(u, offsets);
  pass.see("a", "a = Σ_j u_{t+j} W_j + b", a);
  Tensor h = gated_linear_unit(a);
  pass.see("h", "h = GLU(a)", h);
  if (pass.keeps()) cache = {mask, std::move(a)};
  return h;
}

Tensor GatedConvolution::backward(const Tensor& dh, const Tensor& x, const Offsets& offsets,
                                  const Pass& pass, const Cache& cache) {
  const Tensor da = gated_linear_unit_backward(dh, cache.a);  // [T, 2 d_model]
  pass.see("da", "da = dh through the gate", da);
  Tensor u = x;
  pass.drop(cache.mask, u);
  Tensor dx = convolution.backward(da, u, offsets);
  pass.drop(cache.mask, dx);
  return dx;
}

Tensor GatedConvolution::step(const Tensor& x, Recent& past) const {
  return gated_linear_unit(convolution.step(x, past));
}

}  // namespace attn
