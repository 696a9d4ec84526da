// Attention in forms that no model here uses, to compare those in use with.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "support/product.h"

namespace attn::test {

// Hard attention: a query takes the value of the one key that it fits best, where soft attention
// takes a mean of all values. (Xu et al. 2015 draw the key at random with softmax's probabilities;
// this is what that becomes when softmax is sharp.)
//
// It has no backward pass, and that is the point. Move a score a little, and the same key is the
// best: the output does not change, and its gradient is 0 wherever it exists. Softmax of βS tends
// to hard attention as β grows, with gradients as long as β is finite: soft attention is the
// version that can be trained by following gradients.
//
// O_i = V_j for the j with the largest S_ij, the first of several      S [m, n]   V [n, d_v]
inline Tensor hard_attention(const Tensor& S, const Tensor& V) {
  ATTN_CHECK_EQ(S.cols(), V.rows(), "scores of a query, and values");
  ATTN_CHECK(S.cols() > 0, "hard attention needs a key");
  Tensor O = Tensor::uninitialised({S.rows(), V.cols()});
  for (Index i = 0; i < S.rows(); ++i) {
    std::copy_n(V.row(kernels().argmax_row(S.cols(), S.row(i))), V.cols(), O.row(i));
  }
  return O;
}

// Additive scores as the network they are, every pair a row of its own: S_ij = v · tanh([q_i; k_j]
// W) with q [m, d_q], k [n, d_k], W [d_q + d_k, d_a] and v [d_a].
inline Tensor mlp_scores(const Tensor& q, const Tensor& k, const Tensor& W, const Tensor& v) {
  Tensor S = Tensor::zeros({q.rows(), k.rows()});
  Tensor pair = Tensor::uninitialised({1, q.cols() + k.cols()});
  for (Index i = 0; i < q.rows(); ++i) {
    for (Index j = 0; j < k.rows(); ++j) {
      std::copy_n(q.row(i), q.cols(), pair.data());
      std::copy_n(k.row(j), k.cols(), pair.data() + q.cols());
      const Tensor hidden = product(pair, W);
      for (Index c = 0; c < v.elements(); ++c) S(i, j) += v[c] * std::tanh(hidden[c]);
    }
  }
  return S;
}

}  // namespace attn::test
