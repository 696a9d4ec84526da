// Linear: y = x W + b, applied to every token alike (§3.2.2's projections, §3.3's two layers).
#pragma once

#include "layers/parameter.h"

namespace attn {

struct Linear {
  Parameter weight;  // W [in, out]
  Parameter bias;    // b [out], or empty: the paper's attention projections have none

  Linear() = default;
  // scale: of W's Glorot start
  Linear(Index in, Index out, bool with_bias, double scale = 1);

  // y = x W + b        x [T, in]   y [T, out]
  Tensor forward(const Tensor& x) const;
  // y = max(0, x W + b): the first half of eq. (2), in one pass over y
  Tensor forward_relu(const Tensor& x) const;
  // dx = dy Wᵀ         dW += xᵀ dy        db += Σ_t dy_t
  Tensor backward(const Tensor& dy, const Tensor& x);
  // The same with dx += dy Wᵀ, for an input that several layers read.
  void backward_add(const Tensor& dy, const Tensor& x, Tensor& dx);

  // dy Wᵀ alone
  Tensor input_gradient(const Tensor& dy) const;

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
