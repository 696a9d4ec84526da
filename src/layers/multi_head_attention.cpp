// MultiHead(Q, K, V) = Concat(head_1, …, head_h) W^O: "a big for-loop over self-attention".
#include "layers/multi_head_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "layers/rotary.h"

namespace attn {

static const double kJointStart = 1 / std::sqrt(2.0);

// W^Q, W^K and W^V start as parts of one matrix [d_model, 3 d_model], as PyTorch and fairseq draw
// them: Glorot's bound is then √(6/4d_model) and not √(6/2d_model). With the larger one, averages
// soon drown what tells tokens apart, and a deep post-norm model may never learn to see it.
MultiHeadAttention::MultiHeadAttention(Index d_model, Index heads_, Index d_k_, Index d_v_,
                                       bool biases, double weights_dropout_)
    : heads(heads_),
      d_k(d_k_),
      d_v(d_v_),
      weights_dropout(weights_dropout_),
      query(d_model, heads_ * d_k_, biases, kJointStart, "W^Q"),
      key(d_model, heads_ * d_k_, biases, kJointStart, "W^K"),
      value(d_model, heads_ * d_v_, biases, kJointStart, "W^V"),
      output(heads_ * d_v_, d_model, biases, 1, "W^O") {}

namespace {

constexpr Index kHeadsPerTask = 4;  // in decoding, where a head has only a few queries
constexpr const char* kTurned = "each pair turned by pos·10000^(−2i/d_k)";

// Where each sentence's weights begin in P; the last entry is their number in all.
std::vector<Index> weight_offsets(const MultiHeadAttention::Input& in, Index heads) {
  check_offsets(in.x_offsets, in.x.rows());
  check_offsets(in.memory_offsets, in.memory.rows());
  ATTN_CHECK_EQ(in.x_offsets.size(), in.memory_offsets.size(), "sentences of x and memory");
  std::vector<Index> offsets(in.x_offsets.size());
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index m = in.x_offsets[b + 1] - in.x_offsets[b];
    const Index n = in.memory_offsets[b + 1] - in.memory_offsets[b];
    offsets[b + 1] = offsets[b] + heads * m * n;
  }
  return offsets;
}

// Columns [col, col + width) of keys or values. Without rows, their pointer may be null.
ConstMatrixView columns(const ConstMatrixView& x, Index col, Index width) {
  return {x.rows > 0 ? x.data + col : x.data, x.rows, width, x.row_stride};
}

// One head of one sentence: its rows, its columns, and where its weights are.
struct Head {
  Index q_begin, q_end, k_begin, k_end;  // rows: queries; keys and values
  Index qk_col, v_col;                   // first columns in Q and K; in V, O
  Index weights;                         // first element in P
};

Head head_of(const MultiHeadAttention& layer, const MultiHeadAttention::Input& in,
             const std::vector<Index>& weights, Index task) {
  const auto b = static_cast<std::size_t>(task / layer.heads);
  const Index i = task % layer.heads;
  Head head{in.x_offsets[b],
            in.x_offsets[b + 1],
            in.memory_offsets[b],
            in.memory_offsets[b + 1],
            i * layer.d_k,
            i * layer.d_v,
            weights[b]};
  head.weights += i * (head.q_end - head.q_begin) * (head.k_end - head.k_begin);
  return head;
}

// Runs body(head, its pass) for every head of every sentence: on all threads or, for a watcher, one
// after another.
template <class Body>
void for_each_head(const MultiHeadAttention& layer, const MultiHeadAttention::Input& in,
                   const Pass& pass, const Body& body) {
  const std::vector<Index> weights = weight_offsets(in, layer.heads);
  const Index tasks = (static_cast<Index>(in.x_offsets.size()) - 1) * layer.heads;
  if (!pass.is_watched()) {
    const Pass unwatched;
    return parallel_for(tasks,
                        [&](Index task) { body(head_of(layer, in, weights, task), unwatched); });
  }
  const Pass heads = pass.in("heads");
  for (Index task = 0; task < tasks; ++task) {
    body(head_of(layer, in, weights, task), heads.in(task % layer.heads));
  }
}

}  // namespace

Tensor MultiHeadAttention::forward(const Input& in, const Pass& pass, Cache& cache) const {
  // Project for all heads at once.
  Tensor Q = query.forward(in.x, pass);
  Tensor K = key.forward(in.memory, pass);
  Tensor V = value.forward(in.memory, pass);

  // Rotary positions turn queries and keys; the paper's are in x already.
  if (rotary) {
    pass.see("Q_0", Q);
    pass.see("K_0", K);
    turn(Q, positions_in(in.x_offsets), heads);
    turn(K, positions_in(in.memory_offsets), heads);
  }

  // Every head of every sentence separately. Only a backward pass needs all their weights P later.
  const DropoutMask mask = pass.next_mask(weights_dropout);
  Tensor P = Tensor::uninitialised({pass.keeps() ? weight_offsets(in, heads).back() : 0});
  Tensor concat = Tensor::uninitialised({in.x.rows(), heads * d_v});
  for_each_head(*this, in, pass, [&](const Head& at, const Pass& head) {
    const Index m = at.q_end - at.q_begin, n = at.k_end - at.k_begin;
    const ConstMatrixView q = block(Q, at.q_begin, at.q_end, at.qk_col, d_k);
    const ConstMatrixView k = block(K, at.k_begin, at.k_end, at.qk_col, d_k);
    const ConstMatrixView v = block(V, at.k_begin, at.k_end, at.v_col, d_v);
    head.as("Q", "Q", rotary ? kTurned : "").see(q);
    head.as("K", "K", rotary ? kTurned : "").see(k);
    head.see("V", v);
    Tensor scratch = Tensor::uninitialised({pass.keeps() ? 0 : m * n});
    Real* const weights = pass.keeps() ? P.data() + at.weights : scratch.data();
    attention_forward(q, k, v, {in.mask, mask, at.weights}, head, MatrixView(weights, m, n, n),
                      block(concat, at.q_begin, at.q_end, at.v_col, d_v));
  });
  pass.as("concat", "Concat", "Concat(head_1, …, head_h)").made(concat, Operation::join);

  // Mix the heads.
  Tensor y = output.forward(concat, pass.as("output", "MultiHead"));
  if (pass.keeps()) {
    cache = {std::move(Q), std::move(K), std::move(V), std::move(P), std::move(concat), mask};
  }
  return y;
}

Tensor MultiHeadAttention::backward(const Tensor& dy, const Input& in, const Pass& pass,
                                    const Cache& cache, Tensor& dmemory) {
  ATTN_CHECK_EQ(cache.P.elements(), weight_offsets(in, heads).back(),
                "attention weights that forward kept and that backward needs");
  // Through W^O to the heads.
  const Tensor dconcat =
      output.backward(dy, cache.concat, pass.as("dconcat", "dConcat"));  // [T_x, h·d_v]

  // Through every head of every sentence. Each task writes its own block of dQ, dK and dV.
  Tensor dQ = Tensor::uninitialised(cache.Q.shape());
  Tensor dK = Tensor::uninitialised(cache.K.shape());
  Tensor dV = Tensor::uninitialised(cache.V.shape());
  for_each_head(*this, in, pass, [&](const Head& at, const Pass& head) {
    const Index m = at.q_end - at.q_begin, n = at.k_end - at.k_begin;
    const ConstMatrixView dO = block(dconcat, at.q_begin, at.q_end, at.v_col, d_v);
    head.see("dO", dO);
    attention_backward(dO, block(cache.Q, at.q_begin, at.q_end, at.qk_col, d_k),
                       block(cache.K, at.k_begin, at.k_end, at.qk_col, d_k),
                       block(cache.V, at.k_begin, at.k_end, at.v_col, d_v),
                       ConstMatrixView(cache.P.data() + at.weights, m, n, n),
                       {in.mask, cache.weights_mask, at.weights}, head,
                       block(dQ, at.q_begin, at.q_end, at.qk_col, d_k),
                       block(dK, at.k_begin, at.k_end, at.qk_col, d_k),
                       block(dV, at.k_begin, at.k_end, at.v_col, d_v));
  });

  // The gradients of turned queries and keys are turned back.
  if (rotary) {
    turn_back(dQ, positions_in(in.x_offsets), heads);
    turn_back(dK, positions_in(in.memory_offsets), heads);
    pass.as("dQ_0", "dQ_0", "dQ turned back").see(dQ);
    pass.as("dK_0", "dK_0", "dK turned back").see(dK);
  }

  // Through the projections: keys and values lead to the memory, queries to x.
  const bool self = &in.memory == &in.x;  // otherwise the memory is z
  key.backward_add(dK, in.memory, dmemory, pass.as(self ? "du_K" : "dz_K"));
  value.backward_add(dV, in.memory, dmemory, pass.as(self ? "du_V" : "dz_V"));
  return query.backward(dQ, in.x, pass.as("du_Q"));
}

Tensor self_attention_backward(MultiHeadAttention& attention, const Tensor& dy, const Tensor& x,
                               const Offsets& offsets, Mask mask, const Pass& pass,
                               const MultiHeadAttention::Cache& cache) {
  Tensor dx = Tensor::zeros(x.shape());
  const Tensor through_queries =
      attention.backward(dy, {x, offsets, x, offsets, mask}, pass, cache, dx);
  add(through_queries, dx, pass.as("dx", "du"));
  return dx;
}

Tensor MultiHeadAttention::keys(const Tensor& u, const std::vector<Index>& at) const {
  Tensor K = key.forward(u);
  if (rotary) turn(K, at, heads);
  return K;
}

Tensor MultiHeadAttention::attend(const Tensor& x, const std::vector<Memory>& memories) const {
  Tensor Q = query.forward(x);  // [R, h·d_k]

  // Where each memory's rows begin, and room for all weights.
  std::vector<Index> first{0};
  Index longest = 0;
  for (const Memory& memory : memories) {
    ATTN_CHECK(memory.rows >= 0 && memory.K.cols == heads * d_k && memory.V.cols == heads * d_v,
               memory.rows, " queries do not fit keys of ", memory.K.cols, " and values of ",
               memory.V.cols, " columns: expected ", heads * d_k, " and ", heads * d_v);
    ATTN_CHECK_EQ(memory.V.rows, memory.K.rows, "values and keys of a memory");
    first.push_back(first.back() + memory.rows);
    longest = std::max(longest, memory.K.rows);
  }
  ATTN_CHECK_EQ(first.back(), x.rows(), "rows that look at memories");
  if (rotary) {
    std::vector<Index> at;
    for (const Memory& memory : memories) {
      at.insert(at.end(), static_cast<std::size_t>(memory.rows), memory.position);
    }
    turn(Q, at, heads);
  }
  Tensor P = Tensor::uninitialised({x.rows() * heads, longest});
  Tensor concat = Tensor::uninitialised({x.rows(), heads * d_v});  // [R, h·d_v]

  const Index tasks = static_cast<Index>(memories.size()) * heads;
  parallel_ranges(tasks, kHeadsPerTask, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const std::size_t number = static_cast<std::size_t>(task / heads);
      const Memory& memory = memories[number];
      const Index i = task % heads, m = memory.rows, n = memory.K.rows, r = first[number];
      attention_forward(block(Q, r, r + m, i * d_k, d_k), columns(memory.K, i * d_k, d_k),
                        columns(memory.V, i * d_v, d_v), {}, Pass(),
                        MatrixView(P.row(r * heads + i * m), m, n, n),
                        block(concat, r, r + m, i * d_v, d_v));
    }
  });
  return output.forward(concat);
}

void MultiHeadAttention::visit(const std::string& name, const ParameterVisitor& visitor) {
  query.visit(name + ".query", visitor);
  key.visit(name + ".key", visitor);
  value.visit(name + ".value", visitor);
  output.visit(name + ".output", visitor);
}

}  // namespace attn
