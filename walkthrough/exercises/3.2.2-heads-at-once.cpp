// All heads at once                                                          ★★ 25 min, §3.2.2
//
// h products with small matrices become one with a large one: the W^Q_i [d_model, d_k] stand side
// by side in W^Q [d_model, h·d_k], and Q = x W^Q [m, h·d_k] holds the queries of all heads, head i
// in columns i·d_k to (i + 1)·d_k.
//
// 1. side_by_side: from the h matrices, the large one.
// 2. attend_all: from the Q, K [·, h·d_k] and V [n, h·d_v] of all heads, Concat [m, h·d_v]. Copy
//    nothing: attn::attention_forward(Q, K, V, {}, {}, P, O), without options and with nobody
//    watching, takes views, also for O, and block(x, 0, x.rows(), first_column, width) is a view of
//    some columns of x.
#include "layers/attention.h"
#include "support/exercise.h"

Tensor side_by_side(const std::vector<Tensor>& W) {
  not_yet();
}

Tensor attend_all(const Tensor& Q, const Tensor& K, const Tensor& V, Index heads) {
  not_yet();
}
