// Gated linear units (Dauphin et al. 2017): half of the channels decide how much of the other half
// passes. Where a ReLU blocks the gradient, the path through a is linear.
#pragma once

#include "tensor/tensor.h"

namespace attn {

// y = a ⊙ σ(b), where x = [a, b] side by side and σ(b) = 1/(1 + e⁻ᵇ)      x [T, 2d]   y [T, d]
Tensor gated_linear_unit(const Tensor& x);
// da = dy ⊙ σ(b),  db = dy ⊙ a ⊙ σ(b) ⊙ (1 − σ(b)); side by side they are dx.
Tensor gated_linear_unit_backward(const Tensor& dy, const Tensor& x);

}  // namespace attn
