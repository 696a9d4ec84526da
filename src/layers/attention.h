// Scaled dot-product attention (§3.2.1), for one head of one sentence: m queries look at n keys.
#pragma once

#include "layers/pass.h"
#include "layers/softmax.h"
#include "tensor/matrix_view.h"

namespace attn {

// What attention does between its scores and its output.
struct AttentionOptions {
  Mask mask = Mask::none;
  // On the attention weights. The paper does not mention it; its authors' code has it as an option.
  DropoutMask dropout;
};

// Eq. (1): O = softmax(Q Kᵀ/√d_k) V          Q [m, d_k]   K [n, d_k]   V [n, d_v]   O [m, d_v]
// Writes O, and to P [m, n] the weights before any dropout, which backward needs. (A MatrixView is
// const, its numbers are not; a tensor is also a view, of itself.) pass.see("S", S) shows a value
// to an observer, such as a trace; without one it does nothing.
void attention_forward(const ConstMatrixView& Q, const ConstMatrixView& K, const ConstMatrixView& V,
                       const AttentionOptions& options, const Pass& pass, const MatrixView& P,
                       const MatrixView& O);

// From dO to dQ, dK and dV, which are overwritten. P is what forward left.
void attention_backward(const ConstMatrixView& dO, const ConstMatrixView& Q,
                        const ConstMatrixView& K, const ConstMatrixView& V,
                        const ConstMatrixView& P, const AttentionOptions& options, const Pass& pass,
                        const MatrixView& dQ, const MatrixView& dK, const MatrixView& dV);

}  // namespace attn
