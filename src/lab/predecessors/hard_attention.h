// Hard attention: a query takes the value of the one key that it fits best, where soft attention
// takes a mean of all values. (Xu et al. 2015 draw the key at random with softmax's probabilities;
// this is what that becomes when softmax is sharp.)
//
// It has no backward pass, and that is the point. Move a score a little, and the same key is the
// best: the output does not change, and its gradient is 0 wherever it exists. Softmax of βS tends
// to hard attention as β grows, with gradients as long as β is finite: soft attention is the
// version that can be trained by following gradients.
#pragma once

#include "tensor/matrix_view.h"

namespace attn {

// O_i = V_j for the j with the largest S_ij, the first of several      S [m, n]   V [n, d_v]
Tensor hard_attention(const Tensor& S, const Tensor& V);

}  // namespace attn
