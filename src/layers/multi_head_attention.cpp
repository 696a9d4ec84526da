// MultiHead(Q, K, V) = Concat(head_1, …, head_h) W^O: three projections, a loop over heads, and one
// more projection.
#include "layers/multi_head_attention.h"

#include <cmath>

#include "base/parallel.h"
#include "layers/rotary.h"

namespace attn {

// W^Q, W^K and W^V get smaller initial values, as in PyTorch and fairseq: those of one joint matrix
// [d_model, 3·d_model], for which Glorot's bound is √(6/(4·d_model)) instead of √(6/(2·d_model))
// (if h·d_k = d_model).
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

// Head i of h, in one sentence.
struct Head {
  AttentionPattern::Rows queries, keys;  // the sentence's
  Index i, h;
  Index first_weight;  // where its weights begin in P

  // Its d columns, from i·d, of these rows of x [T, h·d]; of a const x only to read.
  ConstMatrixView of(const Tensor& x, AttentionPattern::Rows rows) const {
    return block(x, rows.begin, rows.end, i * x.cols() / h, x.cols() / h);
  }
  MatrixView of(Tensor& x, AttentionPattern::Rows rows) const {
    return block(x, rows.begin, rows.end, i * x.cols() / h, x.cols() / h);
  }
  // Its weights [m, n], with rows n apart.
  ConstMatrixView weights(const Tensor& P) const {
    return {P.data() + first_weight, queries.count(), keys.count(), keys.count()};
  }
  MatrixView weights(Tensor& P) const {
    return {P.data() + first_weight, queries.count(), keys.count(), keys.count()};
  }
};

// Runs body(head, its pass) for all heads of every sentence. Each thread takes one head at a time,
// or four in decoding, where queries are few; with an observer, one thread takes them all.
template <class Body>
void for_each_head(const AttentionPattern& pattern, Index h, const Pass& pass, const Body& body) {
  std::vector<Head> all_heads;
  Index weights = 0;  // of the heads before this one
  for (const AttentionPattern::Sentence& sentence : pattern.sentences) {
    for (Index i = 0; i < h; ++i) {
      all_heads.push_back({sentence.queries, sentence.keys, i, h, weights});
      weights += sentence.weight_count();
    }
  }
  const Index count = all_heads.size();
  Index at_a_time = pattern.past != nullptr ? 4 : 1;
  if (pass.is_watched()) at_a_time = count;
  parallel_ranges(count, at_a_time, [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) body(all_heads[n], pass.in("heads").in(all_heads[n].i));
  });
}

}  // namespace

Tensor MultiHeadAttention::forward(const Tensor& x, const Tensor& memory,
                                   const AttentionPattern& pattern, const Pass& pass,
                                   Cache& cache) const {
  check_fits(pattern, x, memory);
  pass.see("u", x);  // as residual.h calls what a sub-layer reads

  // Q = x W^Q, K = memory W^K, V = memory W^V, for all heads at once.
  cache.Q = query.forward(x);
  cache.projected = {key.forward(memory), value.forward(memory)};

  // Rotary positions turn queries and keys; the paper's were added to the embeddings.
  if (rotary) {
    pass.see("Q_0", cache.Q);
    pass.see("K_0", cache.projected.K);
    turn(cache.Q, pattern.query_positions, heads);
    turn(cache.projected.K, pattern.key_positions, heads);
  }

  // In decoding there are more: of earlier tokens, or of the source.
  const KeyValues& all = pattern.append_to_past(cache.projected);

  // The weights P of all heads are kept if a backward pass follows. In decoding they are few, so
  // they share one tensor as well. Otherwise each head has a temporary one, to save memory.
  const bool together = pass.keeps() || pattern.past != nullptr;
  cache.weights_mask = pass.next_mask(weights_dropout);
  cache.P = Tensor::uninitialised({together ? heads * pattern.weight_count() : 0});
  cache.concat = Tensor::uninitialised({x.rows(), heads * d_v});

  // head_i = Attention(x W^Q_i, memory W^K_i, memory W^V_i), for every sentence. Each head writes
  // its own columns of concat, so that it becomes Concat(head_1, …, head_h).
  for_each_head(pattern, heads, pass, [&](const Head& head, const Pass& its_pass) {
    const ConstMatrixView q = head.of(cache.Q, head.queries);
    const ConstMatrixView k = head.of(all.K, head.keys), v = head.of(all.V, head.keys);
    its_pass.see("Q", q);
    its_pass.see("K", k);
    its_pass.see("V", v);
    const AttentionOptions options{pattern.mask, cache.weights_mask.from(head.first_weight)};
    Tensor alone;
    if (!together) alone = Tensor::uninitialised({q.rows, k.rows});
    const MatrixView P = together ? head.weights(cache.P) : MatrixView(alone);
    attention_forward(q, k, v, options, its_pass, P, head.of(cache.concat, head.queries));
  });
  pass.see("concat", cache.concat);

  // y = Concat(head_1, …, head_h) W^O
  Tensor y = output.forward(cache.concat);
  pass.see("output", y);
  return y;
}

void MultiHeadAttention::backward(const Tensor& dy, const Tensor& x, const Tensor& memory,
                                  const AttentionPattern& pattern, const Pass& pass,
                                  const Cache& cache, Tensor& dx, Tensor& dmemory) {
  check_fits(pattern, x, memory);
  ATTN_CHECK(pattern.past == nullptr, "a step of decoding has no backward pass");
  ATTN_CHECK_EQ(cache.P.elements(), heads * pattern.weight_count(),
                "attention weights that forward kept and that backward needs");
  pass.see("doutput", dy);

  // Through W^O to the heads.
  const Tensor dconcat = output.backward(dy, cache.concat);  // [T_x, h·d_v]
  pass.see("dconcat", dconcat);

  // Through every head of every sentence. Each writes its own part of dQ, dK and dV.
  Tensor dQ = Tensor::uninitialised(cache.Q.shape());
  Tensor dK = Tensor::uninitialised(cache.projected.K.shape());
  Tensor dV = Tensor::uninitialised(cache.projected.V.shape());
  for_each_head(pattern, heads, pass, [&](const Head& head, const Pass& its_pass) {
    const AttentionOptions options{pattern.mask, cache.weights_mask.from(head.first_weight)};
    attention_backward(head.of(dconcat, head.queries), head.of(cache.Q, head.queries),
                       head.of(cache.projected.K, head.keys), head.of(cache.projected.V, head.keys),
                       head.weights(cache.P), options, its_pass, head.of(dQ, head.queries),
                       head.of(dK, head.keys), head.of(dV, head.keys));
  });

  // The gradients of turned queries and keys are turned back.
  if (rotary) {
    turn(dQ, pattern.query_positions, heads, -1);
    turn(dK, pattern.key_positions, heads, -1);
    pass.see("dQ_0", dQ);
    pass.see("dK_0", dK);
  }

  // Through the projections: keys and values lead to the memory, queries to x.
  // (An observer sees dmemory's two parts, too.)
  const bool self = &memory == &x;  // otherwise the memory is z
  if (pass.is_watched()) {
    pass.see(self ? "du_K" : "dz_K", key.input_gradient(dK));
    pass.see(self ? "du_V" : "dz_V", value.input_gradient(dV));
  }
  key.backward_add(dK, memory, dmemory);
  value.backward_add(dV, memory, dmemory);
  const Tensor through_queries = query.backward(dQ, x);
  pass.see("du_Q", through_queries);
  add(through_queries, dx);  // dx += through_queries
  if (self) pass.see("du", dx);
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
