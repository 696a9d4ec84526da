// A head is a view of its columns; its output is written straight into its columns of Concat.
#include "support/exercise.h"

using Attend =
    std::function<void(const ConstMatrixView& Q, const ConstMatrixView& K, const ConstMatrixView& V,
                       const MatrixView& P, const MatrixView& O)>;

Tensor side_by_side(const std::vector<Tensor>& W) {
  const Index width = W[0].cols();
  Tensor all = Tensor::zeros({W[0].rows(), static_cast<Index>(W.size()) * width});
  for (Index i = 0; i < static_cast<Index>(W.size()); ++i) {
    const Tensor& part = W[i];
    for (Index r = 0; r < part.rows(); ++r) {
      for (Index c = 0; c < width; ++c) all(r, i * width + c) = part(r, c);
    }
  }
  return all;
}

Tensor attend_all(const Tensor& Q, const Tensor& K, const Tensor& V, Index heads,
                  const Attend& attend) {
  const Index d_k = Q.cols() / heads, d_v = V.cols() / heads;
  Tensor concat = Tensor::zeros({Q.rows(), V.cols()});
  Tensor P = Tensor::zeros({Q.rows(), K.rows()});
  for (Index i = 0; i < heads; ++i) {
    attend(block(Q, 0, Q.rows(), i * d_k, d_k), block(K, 0, K.rows(), i * d_k, d_k),
           block(V, 0, V.rows(), i * d_v, d_v), P, block(concat, 0, Q.rows(), i * d_v, d_v));
  }
  return concat;
}
