// [q; k] W = q W_q + k W_k, for the upper rows W_q and the lower rows W_k of W.
#include "support/exercise.h"

using Multiply = std::function<Tensor(const Tensor& A, const Tensor& B)>;

inline Tensor rows(const Tensor& W, Index begin, Index end) {
  return attn::copy_of(attn::rows_of(W, begin, end));
}

Tensor concat_scores(const Tensor& q, const Tensor& k, const Tensor& W, const Tensor& v,
                     const Multiply& multiply) {
  const Tensor Q = multiply(q, rows(W, 0, q.cols()));
  const Tensor K = multiply(k, rows(W, q.cols(), W.rows()));
  Tensor S = Tensor::zeros({q.rows(), k.rows()});
  for (Index i = 0; i < q.rows(); ++i) {
    for (Index j = 0; j < k.rows(); ++j) {
      for (Index c = 0; c < v.elements(); ++c) S(i, j) += v[c] * std::tanh(Q(i, c) + K(j, c));
    }
  }
  return S;
}
