// Linear: y = x W + b, applied to every token alike (§3.2.2's projections, §3.3's two layers).
#pragma once

#include "layers/parameter.h"
#include "layers/pass.h"

namespace attn {

struct Linear {
  Parameter weight;  // W [in, out]
  Parameter bias;    // b [out], or empty: the paper's attention projections have none

  Linear() = default;
  // scale: of W's Glorot start. symbol: the paper's for W, in which b takes the place of W.
  Linear(Index in, Index out, bool with_bias, double scale = 1, const char* symbol = "W");

  // y = x W + b        x [T, in]   y [T, out]
  Tensor forward(const Tensor& x, const Name& name = {}) const;
  // y = max(0, a), a = x W + b: the first half of eq. (2), in one pass over y
  Tensor forward_relu(const Tensor& x, const Name& a, const Name& name) const;
  // dx = dy Wᵀ         dW += xᵀ dy        db += Σ_t dy_t
  Tensor backward(const Tensor& dy, const Tensor& x, const Name& name = {});
  // The same with dx += dy Wᵀ, for an input that several layers read.
  void backward_add(const Tensor& dy, const Tensor& x, Tensor& dx, const Name& name = {});

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
