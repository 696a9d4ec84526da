#include "app/trace_sublayers.h"

#include <functional>
#include <limits>
#include <utility>

#include "app/trace_makers.h"

namespace attn::app {

namespace {

Tensor sum_of(const Tensor& x, const Tensor& y) {
  Tensor sum = y;
  add(x, sum);
  return sum;
}

void add_weights(TraceRecorder& out, const std::string& name, const std::string& letter,
                 const std::string& bias, const std::string& section, const Linear& linear) {
  add_weight(out, name + ".weight", letter, section, kLinearWeights, linear.weight);
  add_weight(out, name + ".bias", bias, section, kLinearWeights, linear.bias);
}

}  // namespace

void add_weight(TraceRecorder& out, const std::string& name, const std::string& symbol,
                const std::string& section, Maker holder, const Parameter& parameter,
                const Labels& rows) {
  if (parameter.value.empty()) return;
  out.add(name, "", symbol, section, holder, parameter.value, rows);
  out.values.back().weight = true;
}

void trace_norm(const Place& at, const std::string& name, const LayerNorm& norm,
                const LayerNorm::Cache& cache, const Tensor& x, const std::string& x_symbol,
                const std::string& y_name, const std::string& y_symbol, const Tensor& y) {
  TraceRecorder& out = at.out;
  add_weight(out, name + ".gamma", "γ", "§3.1", kLayerNormWeights, norm.gamma);
  add_weight(out, name + ".beta", "β", "§3.1", kLayerNormWeights, norm.beta);
  Tensor mean = Tensor::zeros({x.rows()});
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index j = 0; j < x.cols(); ++j) mean[t] += x(t, j) / static_cast<Real>(x.cols());
  }
  out.add(name + ".mean", "μ", "μ = mean of " + x_symbol, "§3.1", kLayerNormForward,
          std::move(mean), at.rows);
  out.add(name + ".inv_std", "1/σ", "1/σ = 1/√(variance + 1e-5)", "§3.1", kLayerNormForward,
          cache.inv_std, at.rows);
  out.add(name + ".x_hat", "x̂", "x̂ = (" + x_symbol + " − μ)/σ", "§3.1", kLayerNormForward,
          cache.x_hat, at.rows);
  out.add(y_name, "", y_symbol + " = γ ⊙ x̂ + β", "§3.1", kLayerNormForward, y, at.rows);
}

namespace {

// What surrounds a sub-layer, which reads `x` (with pre-norm, its norm) and makes what `sublayer`
// returns; y, of that name, comes out.
struct AddAndNorm {
  std::string name, sublayer_symbol;
  const Residual& residual;
  const Residual::Cache& cache;
  std::string x_symbol;
  const Tensor& x;
  std::string y_name, y_symbol;
  Tensor y;  // empty: it was not kept, and is made again (pre-norm's last sum)
};

Tensor trace_add_and_norm(
    const Place& at, AddAndNorm around, const std::string& stage,
    const std::function<Tensor(const Tensor& u, const std::string& u_symbol)>& sublayer) {
  TraceRecorder& out = at.out;
  const std::string norm_stage = stage + ", Add & Norm", x = around.x_symbol;
  if (around.residual.placement == NormPlacement::pre) {
    out.stage = norm_stage;
    trace_norm(at, around.name, around.residual.norm, around.cache.norm, around.x, x,
               around.name + ".normed", "u", around.cache.normed);
    out.stage = stage;
    const Tensor f = sublayer(around.cache.normed, "u");
    if (around.y.empty()) around.y = sum_of(around.x, f);
    out.stage = norm_stage;
    out.add(around.y_name, "", around.y_symbol + " = " + x + " + " + around.sublayer_symbol, "§3.1",
            kResidualForward, around.y, at.rows);
    return around.y;
  }
  out.stage = stage;
  const Tensor f = sublayer(around.x, x);
  out.stage = norm_stage;
  const Tensor sum = sum_of(around.x, f);
  out.add(around.name + ".sum", "", "s = " + x + " + " + around.sublayer_symbol, "§3.1",
          kResidualForward, sum, at.rows);
  trace_norm(at, around.name, around.residual.norm, around.cache.norm, sum, "s", around.y_name,
             around.y_symbol, around.y);
  return around.y;
}

// What an attention reads: the symbols of its two inputs, and what its keys stand for.
struct Reads {
  std::string x, memory;
  const Labels& keys;
  Mask mask;
};

void trace_head(const Place& at, const std::string& name, const MultiHeadAttention& layer,
                const MultiHeadAttention::Cache& cache, const Reads& reads, Index head) {
  TraceRecorder& out = at.out;
  const Index m = cache.Q.rows(), n = cache.K.rows(), d_k = layer.d_k, d_v = layer.d_v;
  const ConstMatrixView Q = block(cache.Q, 0, m, head * d_k, d_k);
  const ConstMatrixView K = block(cache.K, 0, n, head * d_k, d_k);
  // " + b^Q_i" where there are biases; the paper has none.
  const auto bias = [](const Linear& projection, const char* symbol) {
    return projection.bias.value.empty() ? std::string() : " + " + std::string(symbol);
  };
  out.head = head;
  out.add(name + ".Q", "queries", "Q = " + reads.x + " W^Q_i" + bias(layer.query, "b^Q_i"),
          "§3.2.2", kLinearForward, copy_of(Q), at.rows);
  out.add(name + ".K", "keys", "K = " + reads.memory + " W^K_i" + bias(layer.key, "b^K_i"),
          "§3.2.2", kLinearForward, copy_of(K), reads.keys);
  out.add(name + ".V", "values", "V = " + reads.memory + " W^V_i" + bias(layer.value, "b^V_i"),
          "§3.2.2", kLinearForward, copy_of(block(cache.V, 0, n, head * d_v, d_v)), reads.keys);

  // The weights are written over the scores, so these are made again.
  Tensor S = Tensor::uninitialised({m, n});
  matmul(Q, transposed(K), S);
  out.add(name + ".S", "scores", "S = Q Kᵀ", "§3.2.1, eq. (1)", kAttentionForward, S, at.rows,
          reads.keys);
  Tensor A = S;
  for (Index t = 0; t < m; ++t) {
    for (Index j = 0; j < n; ++j) {
      const bool legal = j < legal_keys(reads.mask, t, m, n);
      A(t, j) = legal ? A(t, j) * score_scale(layer) : -std::numeric_limits<Real>::infinity();
    }
  }
  const bool masked = reads.mask == Mask::causal;
  out.add(name + ".A", "masked", text("A = S/√d_k", masked ? ", −∞ behind the mask" : ""),
          masked ? "§3.2.1, §3.2.3" : "§3.2.1, eq. (1)", kSoftmaxForward, A, at.rows, reads.keys);
  out.add(name + ".P", "weights", "P = softmax(A)", "§3.2.1, eq. (1)", kSoftmaxForward,
          copy_of(ConstMatrixView(cache.P.data() + head * m * n, m, n, n)), at.rows, reads.keys);
  out.add(name + ".O", "outputs", "O = P V", "§3.2.1, eq. (1)", kAttentionForward,
          copy_of(block(cache.concat, 0, m, head * d_v, d_v)), at.rows);
  out.head = -1;
}

Tensor trace_attention(const Place& at, const std::string& name, const MultiHeadAttention& layer,
                       const MultiHeadAttention::Cache& cache, const Reads& reads) {
  TraceRecorder& out = at.out;
  add_weights(out, name + ".query", "W^Q", "b^Q", "§3.2.2", layer.query);
  add_weights(out, name + ".key", "W^K", "b^K", "§3.2.2", layer.key);
  add_weights(out, name + ".value", "W^V", "b^V", "§3.2.2", layer.value);
  for (Index i = 0; i < layer.heads; ++i) {
    trace_head(at, name + ".heads." + std::to_string(i), layer, cache, reads, i);
  }
  out.add(name + ".concat", "Concat", "Concat(head_1, …, head_h)", "§3.2.2",
          kMultiHeadAttentionForward, cache.concat, at.rows);
  add_weights(out, name + ".output", "W^O", "b^O", "§3.2.2", layer.output);
  Tensor y = layer.output.forward(cache.concat);
  out.add(
      name + ".output", "",
      layer.output.bias.value.empty() ? "MultiHead = Concat W^O" : "MultiHead = Concat W^O + b^O",
      "§3.2.2", kLinearForward, y, at.rows);
  return y;
}

Tensor trace_feed_forward(const Place& at, const std::string& name, const FeedForward& layer,
                          const FeedForward::Cache& cache, const Tensor& x,
                          const std::string& x_symbol) {
  TraceRecorder& out = at.out;
  add_weights(out, name + ".inner", "W₁", "b₁", "§3.3, eq. (2)", layer.inner);
  out.add(name + ".inner", "", "a = " + x_symbol + " W₁ + b₁", "§3.3, eq. (2)", kLinearReluForward,
          layer.inner.forward(x), at.rows);
  out.add(name + ".hidden", "", "max(0, a)", "§3.3, eq. (2)", kLinearReluForward, cache.hidden,
          at.rows);
  add_weights(out, name + ".outer", "W₂", "b₂", "§3.3, eq. (2)", layer.outer);
  Tensor y = layer.outer.forward(cache.hidden);
  out.add(name + ".output", "", "FFN = max(0, a) W₂ + b₂", "§3.3, eq. (2)", kLinearForward, y,
          at.rows);
  return y;
}

}  // namespace

void trace_attention_sublayer(const LayerPlace& layer, const AttentionSublayer& sublayer) {
  const bool cross = sublayer.name == "cross_attention";
  const std::string name = layer.name + "." + sublayer.name;
  const std::string stage =
      layer.title + (cross ? ", encoder–decoder attention" : ", self-attention");
  trace_add_and_norm(
      layer.at,
      {name + "_norm", "MultiHead", sublayer.residual, sublayer.residual_cache, sublayer.x_symbol,
       sublayer.x, layer.name + "." + sublayer.y_name, sublayer.y_name, sublayer.y},
      stage, [&](const Tensor&, const std::string& u) {
        const std::string& memory = sublayer.memory_symbol;
        return trace_attention(layer.at, name, sublayer.attention, sublayer.cache,
                               {u, memory.empty() ? u : memory, sublayer.keys, sublayer.mask});
      });
}

Tensor trace_feed_forward_sublayer(const LayerPlace& layer, const FeedForwardSublayer& sublayer) {
  return trace_add_and_norm(
      layer.at,
      {layer.name + ".feed_forward_norm", "FFN", sublayer.residual, sublayer.residual_cache,
       sublayer.x_symbol, sublayer.x, sublayer.y_name, sublayer.y_symbol, sublayer.y},
      layer.title + ", feed-forward network", [&](const Tensor& u, const std::string& u_symbol) {
        return trace_feed_forward(layer.at, layer.name + ".feed_forward", sublayer.feed_forward,
                                  sublayer.cache, u, u_symbol);
      });
}

}  // namespace attn::app
