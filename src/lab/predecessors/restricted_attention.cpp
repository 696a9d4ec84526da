// o_t = softmax(q_t Kᵀ/√d_k) V, where K and V are the keys and values of t's window.
#include "lab/predecessors/restricted_attention.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

RestrictedAttention::RestrictedAttention(const Window& window_, MultiHeadAttention attention_)
    : window(window_), attention(std::move(attention_)) {
  check(window);
  ATTN_CHECK_EQ(window.dilation, 1, "restricted attention sees adjacent positions");
}

namespace {

// One position of one head: which keys it sees, and where its weights are.
struct Query {
  Index t, head;
  Index begin, end;  // the keys
  Index weights;     // first element in P

  // The part of a matrix of h·width columns that belongs to it: its row, or those of its window.
  template <class Matrix>
  auto own(Matrix& x, Index width) const {
    return block(x, t, t + 1, head * width, width);
  }
  template <class Matrix>
  auto seen(Matrix& x, Index width) const {
    return block(x, begin, end, head * width, width);
  }
  Index keys() const { return end - begin; }
};

// Runs body(query) for every position of every head. A task is one head of one sentence, whose
// positions follow one another: windows overlap, so their gradients are added up in order.
template <class Body>
void for_each_query(const RestrictedAttention& layer, const Offsets& offsets, const Body& body) {
  const Index heads = layer.attention.heads, r = layer.window.width;
  const Index sentences = offsets.size() - 1;
  parallel_for(sentences * heads, [&](Index task) {
    const Index b = task / heads, head = task % heads;
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) {
      const Index first = t + layer.window.offset(0);
      body(Query{t, head, std::max(first, offsets[b]), std::min(first + r, offsets[b + 1]),
                 (t * heads + head) * r});
    }
  });
}

// y += x
void add_rows(const Tensor& x, const MatrixView& y) {
  for (Index i = 0; i < y.rows; ++i) kernels().vector_add(y.cols, x.row(i), y.row(i));
}

}  // namespace

Tensor RestrictedAttention::attend(const Tensor& Q, const Tensor& K, const Tensor& V,
                                   const Offsets& offsets, const DropoutMask& mask,
                                   Tensor& P) const {
  check_offsets(offsets, Q.rows());
  const Index heads = attention.heads, d_k = attention.d_k, d_v = attention.d_v;
  P = Tensor::zeros({Q.rows(), heads, window.width});
  Tensor concat = Tensor::uninitialised({Q.rows(), heads * d_v});
  for_each_query(*this, offsets, [&](const Query& at) {
    attention_forward(
        at.own(Q, d_k), at.seen(K, d_k), at.seen(V, d_v), {Mask::none, mask.from(at.weights)},
        Pass(), MatrixView(P.data() + at.weights, 1, at.keys(), at.keys()), at.own(concat, d_v));
  });
  return concat;
}

Tensor RestrictedAttention::forward(const Tensor& x, const Offsets& offsets, const Pass& pass,
                                    Cache& cache) const {
  Tensor Q = attention.query.forward(x);
  Tensor K = attention.key.forward(x);
  Tensor V = attention.value.forward(x);
  const DropoutMask mask = pass.next_mask(attention.weights_dropout);
  Tensor P;
  Tensor concat = attend(Q, K, V, offsets, mask, P);
  pass.see("P", P);
  Tensor y = attention.output.forward(concat);
  if (pass.keeps()) {
    cache = {std::move(Q), std::move(K), std::move(V), std::move(P), std::move(concat), mask};
  }
  return y;
}

Tensor RestrictedAttention::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                                     const Cache& cache) {
  check_offsets(offsets, x.rows());
  const Index d_k = attention.d_k, d_v = attention.d_v;
  const Tensor dconcat = attention.output.backward(dy, cache.concat);  // [T, h·d_v]

  // A key is seen by several queries, and collects the gradients of all.
  Tensor dQ = Tensor::uninitialised(cache.Q.shape());
  Tensor dK = Tensor::zeros(cache.K.shape());
  Tensor dV = Tensor::zeros(cache.V.shape());
  for_each_query(*this, offsets, [&](const Query& at) {
    Tensor dk = Tensor::uninitialised({at.keys(), d_k}),
           dv = Tensor::uninitialised({at.keys(), d_v});
    attention_backward(
        at.own(dconcat, d_v), at.own(cache.Q, d_k), at.seen(cache.K, d_k), at.seen(cache.V, d_v),
        ConstMatrixView(cache.P.data() + at.weights, 1, at.keys(), at.keys()),
        {Mask::none, cache.weights_mask.from(at.weights)}, Pass(), at.own(dQ, d_k), dk, dv);
    add_rows(dk, at.seen(dK, d_k));
    add_rows(dv, at.seen(dV, d_v));
  });

  Tensor dx = attention.query.backward(dQ, x);
  attention.key.backward_add(dK, x, dx);
  attention.value.backward_add(dV, x, dx);
  return dx;
}

}  // namespace attn
