// Additive attention (Bahdanau et al. 2015): how well does a query fit a key? A small network says,
//
//     s = vᵀ tanh(W [q; k]),
//
// which has learned to compare a query of one kind with a key of another. W [q; k] is a sum of two
// products, of the columns of W that meet q and of those that meet k: W_q q + W_k k. So both are
// projected once, not once per pair, and a pair costs an addition, a tanh and a dot product of d_a
// numbers each. In §3.2.1 a pair costs a dot product alone, and all of them are one matrix product.
#pragma once

#include "tensor/matrix_view.h"

namespace attn {

// S_ij = v · tanh(Q_i + K_j)     Q [m, d_a], K [n, d_a]: projected already   v [d_a]   S [m, n]
void additive_scores(const ConstMatrixView& Q, const ConstMatrixView& K, const Real* v,
                     const MatrixView& S);
// From dS to dQ, which is overwritten, and dK += …, dv += ….
void additive_scores_backward(const ConstMatrixView& dS, const ConstMatrixView& Q,
                              const ConstMatrixView& K, const Real* v, const MatrixView& dQ,
                              const MatrixView& dK, Real* dv);

}  // namespace attn
