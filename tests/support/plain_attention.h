// Attention in a form that no model here uses, to compare those in use with.
#pragma once

#include <algorithm>
#include <cmath>

#include "support/product.h"

namespace attn::test {

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
