// Rotary positions (Su et al., "RoFormer", 2021), the one kind here that is later than the paper:
// numbers 2i and 2i + 1 of a query or key are turned, as a point in the plane, by the angle
// position · 10000^(−2i/d_k). Then q·k depends on the distance alone. If d_k is odd, the last
// number stays. In encoder–decoder attention both sides count from 0, so that a query can ask for
// the source token at its own place, as it can with the paper's sinusoids.
#pragma once

#include <vector>

#include "tensor/tensor.h"

namespace attn {

// Turns each head's part of row t of x [T, heads·d_k] as position at[t] says; or, for direction −1,
// by the opposite angle: so for a gradient, since a rotation's transpose is its inverse.
void turn(Tensor& x, const std::vector<Index>& at, Index heads, Real direction = 1);

}  // namespace attn
