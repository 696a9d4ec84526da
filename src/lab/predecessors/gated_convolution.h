// What a layer of ConvS2S is made of (Gehring et al. 2017, §3.2): dropout, a convolution that
// doubles the channels, and a gated linear unit that halves them again.
//
// A gated linear unit (Dauphin et al. 2017): half of the channels decide how much of the other half
// passes. Where a ReLU blocks the gradient, the path through a is linear.
#pragma once

#include "lab/predecessors/convolution.h"

namespace attn {

// y = a ⊙ σ(b), where x = [a, b] side by side and σ(b) = 1/(1 + e⁻ᵇ)      x [T, 2d]   y [T, d]
Tensor gated_linear_unit(const Tensor& x);
// da = dy ⊙ σ(b),  db = dy ⊙ a ⊙ σ(b) ⊙ (1 − σ(b)); side by side they are dx.
Tensor gated_linear_unit_backward(const Tensor& dy, const Tensor& x);

struct GatedConvolution {
  Convolution convolution;  // [d_model → 2 d_model]
  double p_drop = 0;

  struct Cache {
    DropoutMask mask;
    Tensor a;  // [T, 2 d_model], before the gate
  };

  GatedConvolution(Index d_model, const Window& window, double p_drop_);

  // h = GLU(a),  a = Convolution(Dropout(x))          x, h [T, d_model], packed
  Tensor forward(const Tensor& x, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  Tensor backward(const Tensor& dh, const Tensor& x, const Offsets& offsets, const Pass& pass,
                  const Cache& cache);
  // Decoding one step; see Convolution.
  Tensor step(const Tensor& x, Tensor& past) const;

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    convolution.visit(name + ".convolution", visitor);
  }
};

}  // namespace attn
