// All heads at once                                                          ★★ 25 min, §3.2.2
//
// h products with small matrices become one with a large matrix. Put the W^Q_i [d_model, d_k] side
// by side in W^Q [d_model, h·d_k], and Q = x W^Q [m, h·d_k] holds the queries of all heads, head i
// in columns i·d_k to (i + 1)·d_k.
//
// 1. side_by_side joins the h matrices into the large one.
// 2. attend_all computes Concat [m, h·d_v] from Q, K [·, h·d_k] and V [n, h·d_v] of all heads. Call
//    attend(Q, K, V, P, O), equation (1), once per head: it writes the head's weights to P [m, n],
//    a tensor that all heads may share, and its output to O. Copy nothing: Q, K and V are views,
//    and O is a view of the Concat that you return. block(x, 0, x.rows(), first_column, width) is a
//    view of some columns of x.
#include "support/exercise.h"

using Attend =
    std::function<void(const ConstMatrixView& Q, const ConstMatrixView& K, const ConstMatrixView& V,
                       const MatrixView& P, const MatrixView& O)>;

Tensor side_by_side(const std::vector<Tensor>& W) {
  not_yet();
}

Tensor attend_all(const Tensor& Q, const Tensor& K, const Tensor& V, Index heads,
                  const Attend& attend) {
  not_yet();
}
