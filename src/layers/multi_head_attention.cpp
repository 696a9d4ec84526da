// MultiHead(Q, K, V) = Concat(head_1, …, head_h) W^O: a loop over heads, then one product.
#include "layers/multi_head_attention.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "layers/rotary.h"

namespace attn {

// W^Q, W^K and W^V get smaller initial values, as in PyTorch and fairseq: those of one joint matrix
// [d_model, 3·d_model], for which Glorot's bound is √(6/(4·d_model)) instead of √(6/(2·d_model)).
// With the larger ones, attention soon makes all tokens alike, and a deep post-norm model may never
// learn to tell them apart.
static const double kJointStart = 1 / std::sqrt(2.0);

MultiHeadAttention::MultiHeadAttention(Index d_model, Index heads_, Index d_k_, Index d_v_,
                                       bool biases, double weights_dropout_)
    : heads(heads_),
      d_k(d_k_),
      d_v(d_v_),
      weights_dropout(weights_dropout_),
      query(d_model, heads_ * d_k_, biases, kJointStart),
      key(d_model, heads_ * d_k_, biases, kJointStart),
      value(d_model, heads_ * d_v_, biases, kJointStart),
      output(heads_ * d_v_, d_model, biases) {}

namespace {

void check_fits(const AttentionPattern& pattern, const Tensor& x, const Tensor& memory) {
  ATTN_CHECK_EQ(static_cast<Index>(pattern.query_positions.size()), x.rows(), "rows of queries");
  ATTN_CHECK_EQ(static_cast<Index>(pattern.key_positions.size()), memory.rows(), "rows of keys");
}

// Head i of h, in one block of the pattern.
struct Head {
  const AttentionPattern::Block& block;
  Index i, h;

  // This head's columns of x [T, h·d], in the rows of the block's queries or of its keys: to read
  // or, if x is not const, to write.
  template <class X>
  auto query_rows(X& x) const {
    return attn::block(x, block.query, block.query + block.queries, i * x.cols() / h, x.cols() / h);
  }
  template <class X>
  auto key_rows(X& x) const {
    return attn::block(x, block.key, block.key + block.keys, i * x.cols() / h, x.cols() / h);
  }
  // The first element of its weights [queries, keys] in P.
  Index first_weight() const { return h * block.first_weight + i * block.queries * block.keys; }
};

// Calls body(head, its pass) for every head of every block: on all threads or, for an observer, one
// after another.
template <class Body>
void for_each_head(const AttentionPattern& pattern, Index heads, Index heads_per_task,
                   const Pass& pass, const Body& body) {
  const Index count = static_cast<Index>(pattern.blocks.size()) * heads;
  const auto run = [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) {
      const Head head{pattern.blocks[static_cast<std::size_t>(n / heads)], n % heads, heads};
      body(head, pass.is_watched() ? pass.in("heads").in(head.i) : Pass());
    }
  };
  if (pass.is_watched()) return run(0, count);
  parallel_ranges(count, heads_per_task, run);
}

// Copies each sentence's new keys and values to the end of its block in `past`. (With none, as in
// encoder–decoder attention, all are there already.)
void append(const KeyValues& more, const AttentionPattern& pattern, KeyValues& past) {
  if (more.K.rows() == 0) return;
  for (const AttentionPattern::Block& block : pattern.blocks) {
    const Index from = block.query, to = block.key + block.keys - block.queries;
    std::copy_n(more.K.row(from), block.queries * more.K.cols(), past.K.row(to));
    std::copy_n(more.V.row(from), block.queries * more.V.cols(), past.V.row(to));
  }
}

}  // namespace

Tensor MultiHeadAttention::forward(const Tensor& x, const Tensor& memory,
                                   const AttentionPattern& pattern, const Pass& pass,
                                   Cache& cache) const {
  check_fits(pattern, x, memory);
  pass.see("u", x);

  // Project for all heads at once.
  cache.Q = query.forward(x);
  cache.memory = {key.forward(memory), value.forward(memory)};

  // Rotary positions turn queries and keys; the paper's were added to the embeddings.
  if (rotary) {
    pass.see("Q_0", cache.Q);
    pass.see("K_0", cache.memory.K);
    turn(cache.Q, pattern.query_positions, heads);
    turn(cache.memory.K, pattern.key_positions, heads);
  }

  // In decoding, the keys and values of earlier tokens are kept in `past`, and the new tokens' are
  // appended there.
  KeyValues* const past = pattern.past;
  if (past != nullptr) append(cache.memory, pattern, *past);
  const KeyValues& all = past != nullptr ? *past : cache.memory;

  // Keep the weights P of all heads if a backward pass follows. In decoding they are few, so they
  // share one tensor as well. Otherwise each head has a temporary one, to save memory.
  const bool together = pass.keeps() || past != nullptr;
  cache.weights_mask = pass.next_mask(weights_dropout);
  cache.P = Tensor::uninitialised({together ? heads * pattern.weights() : 0});
  cache.concat = Tensor::uninitialised({x.rows(), heads * d_v});
  const Index heads_per_task = past != nullptr ? 4 : 1;  // in decoding they have few queries

  // head_i = Attention(Q W^Q_i, K W^K_i, V W^V_i), for every sentence. Each head writes its own
  // columns of concat, so that it becomes Concat(head_1, …, head_h).
  for_each_head(pattern, heads, heads_per_task, pass, [&](const Head& head, const Pass& its_pass) {
    const ConstMatrixView q = head.query_rows(cache.Q), k = head.key_rows(all.K),
                          v = head.key_rows(all.V);
    its_pass.see("Q", q);
    its_pass.see("K", k);
    its_pass.see("V", v);
    Tensor alone = Tensor::uninitialised({together ? 0 : q.rows * k.rows});
    Real* const weights = together ? cache.P.data() + head.first_weight() : alone.data();
    attention_forward(q, k, v, {pattern.mask, cache.weights_mask.from(head.first_weight())},
                      its_pass, MatrixView(weights, q.rows, k.rows, k.rows),
                      head.query_rows(cache.concat));
  });
  pass.see("concat", cache.concat);

  // y = Concat(head_1, …, head_h) W^O
  Tensor y = output.forward(cache.concat);
  pass.see("output", y);
  return y;
}

Tensor MultiHeadAttention::backward(const Tensor& dy, const Tensor& x, const Tensor& memory,
                                    const AttentionPattern& pattern, const Pass& pass,
                                    const Cache& cache, Tensor& dmemory) {
  check_fits(pattern, x, memory);
  ATTN_CHECK_EQ(cache.P.elements(), heads * pattern.weights(),
                "attention weights that forward kept and that backward needs");
  pass.see("doutput", dy);

  // Through W^O to the heads.
  const Tensor dconcat = output.backward(dy, cache.concat);  // [T_x, h·d_v]
  pass.see("dconcat", dconcat);

  // Through every head of every block. Each task writes its own block of dQ, dK and dV.
  Tensor dQ = Tensor::uninitialised(cache.Q.shape());
  Tensor dK = Tensor::uninitialised(cache.memory.K.shape());
  Tensor dV = Tensor::uninitialised(cache.memory.V.shape());
  for_each_head(pattern, heads, 1, pass, [&](const Head& head, const Pass& its_pass) {
    const ConstMatrixView q = head.query_rows(cache.Q), k = head.key_rows(cache.memory.K);
    attention_backward(
        head.query_rows(dconcat), q, k, head.key_rows(cache.memory.V),
        ConstMatrixView(cache.P.data() + head.first_weight(), q.rows, k.rows, k.rows),
        {pattern.mask, cache.weights_mask.from(head.first_weight())}, its_pass, head.query_rows(dQ),
        head.key_rows(dK), head.key_rows(dV));
  });

  // The gradients of turned queries and keys are turned back.
  if (rotary) {
    turn_back(dQ, pattern.query_positions, heads);
    turn_back(dK, pattern.key_positions, heads);
    pass.see("dQ_0", dQ);
    pass.see("dK_0", dK);
  }

  // Through the projections: keys and values lead to the memory, queries to x.
  if (pass.is_watched()) {
    const bool self = &memory == &x;  // otherwise the memory is z
    pass.see(self ? "du_K" : "dz_K", key.input_gradient(dK));
    pass.see(self ? "du_V" : "dz_V", value.input_gradient(dV));
  }
  key.backward_add(dK, memory, dmemory);
  value.backward_add(dV, memory, dmemory);
  Tensor dx = query.backward(dQ, x);
  pass.see("du_Q", dx);
  return dx;
}

Tensor self_attention_backward(MultiHeadAttention& attention, const Tensor& dy, const Tensor& x,
                               const AttentionPattern& pattern, const Pass& pass,
                               const MultiHeadAttention::Cache& cache) {
  Tensor dx = Tensor::zeros(x.shape());
  const Tensor through_queries = attention.backward(dy, x, x, pattern, pass, cache, dx);
  add(through_queries, dx);  // dx += through_queries
  pass.see("du", dx);
  return dx;
}

KeyValues MultiHeadAttention::project(const Tensor& memory,
                                      const std::vector<Index>& positions) const {
  KeyValues projected{key.forward(memory), value.forward(memory)};
  if (rotary) turn(projected.K, positions, heads);
  return projected;
}

void MultiHeadAttention::visit(const std::string& name, const ParameterVisitor& visitor) {
  query.visit(name + ".query", visitor);
  key.visit(name + ".key", visitor);
  value.visit(name + ".value", visitor);
  output.visit(name + ".output", visitor);
}

}  // namespace attn
