// Forward along Figure 1, value by value.
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "app/trace.h"

namespace attn::app {

namespace {

constexpr Maker kEmbedding{"Embedding::forward", "src/layers/embedding.cpp"};
constexpr Maker kPosition{"sinusoidal_encoding", "src/layers/positional_encoding.cpp"};
constexpr Maker kAddPosition{"PositionalEncoding::forward", "src/layers/positional_encoding.cpp"};
constexpr Maker kLinear{"Linear::forward", "src/layers/linear.cpp"};
constexpr Maker kLinearRelu{"Linear::forward_relu", "src/layers/linear.cpp"};
constexpr Maker kAttention{"attention_forward", "src/layers/attention.cpp"};
constexpr Maker kSoftmax{"softmax", "src/layers/softmax.cpp"};
constexpr Maker kMultiHead{"MultiHeadAttention::forward", "src/layers/multi_head_attention.cpp"};
constexpr Maker kResidual{"Residual::forward", "src/layers/residual.cpp"};
constexpr Maker kLayerNorm{"LayerNorm::forward", "src/layers/layer_norm.cpp"};
constexpr Maker kEncode{"encode_source", "src/text/corpus.cpp"};
constexpr Maker kEncodeTarget{"encode_target", "src/text/corpus.cpp"};
constexpr Maker kLogits{"Transformer::logits", "src/model/transformer.cpp"};
constexpr Maker kCrossEntropy{"cross_entropy_forward", "src/layers/cross_entropy.cpp"};

// Where a value stands: the recorder, and the tokens that its rows are.
struct Place {
  TraceRecorder& out;
  const Labels& rows;
};

Tensor ids_tensor(const std::vector<int>& ids) {
  Tensor result = Tensor::uninitialised({static_cast<Index>(ids.size())});
  Index t = 0;
  for (const int id : ids) result[t++] = static_cast<Real>(id);
  return result;
}

Tensor sum_of(const Tensor& x, const Tensor& y) {
  Tensor sum = y;
  add(x, sum);
  return sum;
}

// The parameters: not made by a function, but held by a layer.
constexpr Maker kLinearWeights{"Linear", "src/layers/linear.h"};
constexpr Maker kNormWeights{"LayerNorm", "src/layers/layer_norm.h"};
constexpr Maker kEmbeddingWeights{"Embedding", "src/layers/embedding.h"};
constexpr Maker kPositionWeights{"PositionalEncoding", "src/layers/positional_encoding.h"};
constexpr Maker kProjectionWeights{"Transformer", "src/model/transformer.h"};

void add_weight(TraceRecorder& out, const std::string& name, const std::string& symbol,
                const std::string& section, Maker holder, const Parameter& parameter,
                const Labels& rows = {}) {
  if (parameter.value.empty()) return;
  out.add(name, "", symbol, section, holder, parameter.value, rows);
  out.values.back().weight = true;
}

void add_weights(TraceRecorder& out, const std::string& name, const std::string& letter,
                 const std::string& bias, const std::string& section, const Linear& linear) {
  add_weight(out, name + ".weight", letter, section, kLinearWeights, linear.weight);
  add_weight(out, name + ".bias", bias, section, kLinearWeights, linear.bias);
}

// x̂, μ and 1/σ of a layer norm whose input was `x`, then y, of that name.
void trace_norm(const Place& at, const std::string& name, const LayerNorm& norm,
                const LayerNorm::Cache& cache, const Tensor& x, const std::string& x_symbol,
                const std::string& y_name, const std::string& y_symbol, const Tensor& y) {
  TraceRecorder& out = at.out;
  add_weight(out, name + ".gamma", "γ", "§3.1", kNormWeights, norm.gamma);
  add_weight(out, name + ".beta", "β", "§3.1", kNormWeights, norm.beta);
  Tensor mean = Tensor::zeros({x.rows()});
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index j = 0; j < x.cols(); ++j) mean[t] += x(t, j) / static_cast<Real>(x.cols());
  }
  out.add(name + ".mean", "μ", "μ = mean of " + x_symbol, "§3.1", kLayerNorm, std::move(mean),
          at.rows);
  out.add(name + ".inv_std", "1/σ", "1/σ = 1/√(variance + 1e-5)", "§3.1", kLayerNorm, cache.inv_std,
          at.rows);
  out.add(name + ".x_hat", "x̂", "x̂ = (" + x_symbol + " − μ)/σ", "§3.1", kLayerNorm, cache.x_hat,
          at.rows);
  out.add(y_name, "", y_symbol + " = γ ⊙ x̂ + β", "§3.1", kLayerNorm, y, at.rows);
}

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
            kResidual, around.y, at.rows);
    return around.y;
  }
  out.stage = stage;
  const Tensor f = sublayer(around.x, x);
  out.stage = norm_stage;
  const Tensor sum = sum_of(around.x, f);
  out.add(around.name + ".sum", "", "s = " + x + " + " + around.sublayer_symbol, "§3.1", kResidual,
          sum, at.rows);
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
  out.head = head;
  out.add(name + ".Q", "queries", "Q = " + reads.x + " W^Q_i", "§3.2.2", kLinear, copy_of(Q),
          at.rows);
  out.add(name + ".K", "keys", "K = " + reads.memory + " W^K_i", "§3.2.2", kLinear, copy_of(K),
          reads.keys);
  out.add(name + ".V", "values", "V = " + reads.memory + " W^V_i", "§3.2.2", kLinear,
          copy_of(block(cache.V, 0, n, head * d_v, d_v)), reads.keys);

  // The weights are written over the scores, so these are made again.
  Tensor S = Tensor::uninitialised({m, n});
  matmul(Q, transposed(K), S);
  out.add(name + ".S", "scores", "S = Q Kᵀ", "§3.2.1, eq. (1)", kAttention, S, at.rows, reads.keys);
  Tensor A = S;
  for (Index t = 0; t < m; ++t) {
    for (Index j = 0; j < n; ++j) {
      const bool legal = j < legal_keys(reads.mask, t, m, n);
      A(t, j) = legal ? A(t, j) * score_scale(layer) : -std::numeric_limits<Real>::infinity();
    }
  }
  const bool masked = reads.mask == Mask::causal;
  out.add(name + ".A", "masked", text("A = S/√d_k", masked ? ", −∞ behind the mask" : ""),
          masked ? "§3.2.1, §3.2.3" : "§3.2.1, eq. (1)", kSoftmax, A, at.rows, reads.keys);
  out.add(name + ".P", "weights", "P = softmax(A)", "§3.2.1, eq. (1)", kSoftmax,
          copy_of(ConstMatrixView(cache.P.data() + head * m * n, m, n, n)), at.rows, reads.keys);
  out.add(name + ".O", "outputs", "O = P V", "§3.2.1, eq. (1)", kAttention,
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
  out.add(name + ".concat", "Concat", "Concat(head_1, …, head_h)", "§3.2.2", kMultiHead,
          cache.concat, at.rows);
  add_weights(out, name + ".output", "W^O", "b^O", "§3.2.2", layer.output);
  Tensor y = layer.output.forward(cache.concat);
  out.add(name + ".output", "", "MultiHead = Concat W^O", "§3.2.2", kLinear, y, at.rows);
  return y;
}

Tensor trace_feed_forward(const Place& at, const std::string& name, const FeedForward& layer,
                          const FeedForward::Cache& cache, const Tensor& x,
                          const std::string& x_symbol) {
  TraceRecorder& out = at.out;
  add_weights(out, name + ".inner", "W₁", "b₁", "§3.3, eq. (2)", layer.inner);
  out.add(name + ".inner", "", "a = " + x_symbol + " W₁ + b₁", "§3.3, eq. (2)", kLinearRelu,
          layer.inner.forward(x), at.rows);
  out.add(name + ".hidden", "", "max(0, a)", "§3.3, eq. (2)", kLinearRelu, cache.hidden, at.rows);
  add_weights(out, name + ".outer", "W₂", "b₂", "§3.3, eq. (2)", layer.outer);
  Tensor y = layer.outer.forward(cache.hidden);
  out.add(name + ".output", "", "FFN = max(0, a) W₂ + b₂", "§3.3, eq. (2)", kLinear, y, at.rows);
  return y;
}

// One self-attention or feed-forward sub-layer of the encoder, one of three of the decoder, each
// inside Add & Norm.
struct Stack {
  const Place& at;
  std::string name;   // "encoder.0"
  std::string title;  // "Encoder, layer 0"
};

Tensor trace_attention_sublayer(const Stack& stack, const std::string& name,
                                const MultiHeadAttention& layer,
                                const MultiHeadAttention::Cache& cache, const Residual& residual,
                                const Residual::Cache& residual_cache, const std::string& memory,
                                const Labels& keys, Mask mask, const std::string& x_symbol,
                                const Tensor& x, const std::string& y_name, const Tensor& y) {
  const std::string title =
      name == "cross_attention" ? "encoder–decoder attention" : "self-attention";
  const std::string full = stack.name + "." + name;
  return trace_add_and_norm(stack.at,
                            {full + "_norm", "MultiHead", residual, residual_cache, x_symbol, x,
                             stack.name + "." + y_name, y_name, y},
                            stack.title + ", " + title, [&](const Tensor&, const std::string& u) {
                              return trace_attention(stack.at, full, layer, cache,
                                                     {u, memory.empty() ? u : memory, keys, mask});
                            });
}

// The name and the symbol of what a layer makes: post-norm's last layer makes z (or h) itself.
struct Output {
  std::string name, symbol;
};

Output output_of(const std::string& stack, std::size_t layer, bool last_is_output,
                 const std::string& whole) {
  if (last_is_output) return {whole, whole};
  return {stack + "." + std::to_string(layer) + ".output", "y"};
}

Tensor trace_feed_forward_sublayer(const Stack& stack, const FeedForward& layer,
                                   const FeedForward::Cache& cache, const Residual& residual,
                                   const Residual::Cache& residual_cache,
                                   const std::string& x_symbol, const Tensor& x,
                                   const Output& output, const Tensor& y) {
  return trace_add_and_norm(stack.at,
                            {stack.name + ".feed_forward_norm", "FFN", residual, residual_cache,
                             x_symbol, x, output.name, output.symbol, y},
                            stack.title + ", feed-forward network",
                            [&](const Tensor& u, const std::string& u_symbol) {
                              return trace_feed_forward(stack.at, stack.name + ".feed_forward",
                                                        layer, cache, u, u_symbol);
                            });
}

// From ids to e, or to g.
void trace_embedding(const Place& at, const std::string& side, const std::string& ids_symbol,
                     const Embedding& embedding, const PositionalEncoding& positions,
                     const PackedIds& ids, const std::string& sum_name, const Tensor& sum) {
  TraceRecorder& out = at.out;
  const bool learned = positions.kind == Positions::learned;
  out.add(side + ".embedding", "", "√d_model E[" + ids_symbol + "]", "§3.4", kEmbedding,
          embedding.forward(ids.ids), at.rows);
  if (learned)
    add_weight(out, side + "_positions.weight", "PE", "§3.5", kPositionWeights, positions.weight);
  Tensor pe = Tensor::zeros(sum.shape());
  positions.forward(pe, ids.offsets);
  out.add(side + ".position", "PE", learned ? "PE, learned" : "PE = sin, cos, sin, cos, …", "§3.5",
          learned ? kAddPosition : kPosition, std::move(pe), at.rows);
  out.add(sum_name, "", sum_name + " = √d_model E[" + ids_symbol + "] + PE", "§3.4, §3.5",
          kAddPosition, sum, at.rows);
}

void trace_encoder(TraceRecorder& out, const Encoder& encoder, const Transformer::Cache& cache,
                   const TraceTokens& tokens) {
  const Place at{out, tokens.source};
  std::string x_symbol = "e";
  Tensor x = cache.encoder.inputs[0];
  for (std::size_t i = 0; i < encoder.layers.size(); ++i) {
    const EncoderLayer& layer = encoder.layers[i];
    const EncoderLayer::Cache& made = cache.encoder.layers[i];
    const bool last = i + 1 == encoder.layers.size();
    const Output output = output_of("encoder", i, last && !encoder.has_final_norm, "z");
    const Stack stack{at, layer_name("encoder", static_cast<Index>(i)),
                      "Encoder, layer " + std::to_string(i)};
    out.layer = static_cast<Index>(i);
    trace_attention_sublayer(stack, "self_attention", layer.self_attention, made.self_attention,
                             layer.self_attention_residual, made.self_attention_residual, "",
                             tokens.source, Mask::none, x_symbol, x, "attended", made.attended);
    x = trace_feed_forward_sublayer(stack, layer.feed_forward, made.feed_forward,
                                    layer.feed_forward_residual, made.feed_forward_residual,
                                    "attended", made.attended, output,
                                    !last                    ? cache.encoder.inputs[i + 1]
                                    : encoder.has_final_norm ? Tensor()
                                                             : cache.z);
    x_symbol = output.symbol;
  }
  out.layer = -1;
  if (!encoder.has_final_norm) return;
  out.stage = "Encoder, final norm";
  trace_norm(at, "encoder.norm", encoder.final_norm, cache.encoder.final_norm, x, x_symbol, "z",
             "z", cache.z);
}

void trace_decoder(TraceRecorder& out, const Decoder& decoder, const Transformer::Cache& cache,
                   const TraceTokens& tokens) {
  const Place at{out, tokens.target_input};
  std::string x_symbol = "g";
  Tensor x = cache.decoder.inputs[0];
  for (std::size_t i = 0; i < decoder.layers.size(); ++i) {
    const DecoderLayer& layer = decoder.layers[i];
    const DecoderLayer::Cache& made = cache.decoder.layers[i];
    const bool last = i + 1 == decoder.layers.size();
    const Output output = output_of("decoder", i, last && !decoder.has_final_norm, "h");
    const Stack stack{at, layer_name("decoder", static_cast<Index>(i)),
                      "Decoder, layer " + std::to_string(i)};
    out.layer = static_cast<Index>(i);
    trace_attention_sublayer(stack, "self_attention", layer.self_attention, made.self_attention,
                             layer.self_attention_residual, made.self_attention_residual, "",
                             tokens.target_input, Mask::causal, x_symbol, x, "attended",
                             made.attended);
    trace_attention_sublayer(stack, "cross_attention", layer.cross_attention, made.cross_attention,
                             layer.cross_attention_residual, made.cross_attention_residual, "z",
                             tokens.source, Mask::none, "attended", made.attended, "informed",
                             made.informed);
    x = trace_feed_forward_sublayer(stack, layer.feed_forward, made.feed_forward,
                                    layer.feed_forward_residual, made.feed_forward_residual,
                                    "informed", made.informed, output,
                                    !last                    ? cache.decoder.inputs[i + 1]
                                    : decoder.has_final_norm ? Tensor()
                                                             : cache.h);
    x_symbol = output.symbol;
  }
  out.layer = -1;
  if (!decoder.has_final_norm) return;
  out.stage = "Decoder, final norm";
  trace_norm(at, "decoder.norm", decoder.final_norm, cache.decoder.final_norm, x, x_symbol, "h",
             "h", cache.h);
}

// From h to the loss.
void trace_output(TraceRecorder& out, const Transformer& model, const Batch& batch,
                  const TraceTokens& tokens) {
  const Config& config = model.config();
  const bool tied = config.tie_embeddings;
  const Real epsilon = static_cast<Real>(config.label_smoothing);
  const std::vector<int>& y = batch.target_output;
  out.stage = "Output: a distribution over the vocabulary, and the loss";
  if (!tied)
    add_weight(out, "projection.weight", "W", "§3.4", kProjectionWeights, model.projection);
  Tensor logits = model.logits(batch);
  out.add("logits", "", tied ? "logits = h Eᵀ" : "logits = h W", "§3.4", kLogits, logits,
          tokens.target_input, tokens.vocabulary);
  Tensor p = logits;
  softmax(p, 1, Mask::none);
  out.add("p", "distribution", "p = softmax(logits)", "§3.4", kSoftmax, std::move(p),
          tokens.target_input, tokens.vocabulary);

  out.add("y", "ids", "y, the tokens to predict", "§3.1", kEncodeTarget, ids_tensor(y),
          tokens.target_output);
  Tensor q = Tensor::zeros(logits.shape());
  Tensor losses = Tensor::uninitialised({logits.rows()});
  q.fill(epsilon / static_cast<Real>(q.cols()));
  for (Index t = 0; t < q.rows(); ++t) {
    const int* target = y.data() + t;
    q(t, *target) += 1 - epsilon;
    losses[t] = static_cast<Real>(
        cross_entropy_forward(rows_of(std::as_const(logits), t, t + 1), target, epsilon).loss);
  }
  out.add("q", "targets", "q = (1 − ε_ls) onehot(y) + ε_ls/V", "§5.4", kCrossEntropy, std::move(q),
          tokens.target_output, tokens.vocabulary);
  out.add("losses", "", "L_t = −Σ_v q_v log p_v", "§5.4", kCrossEntropy, std::move(losses),
          tokens.target_output);
  Tensor loss = Tensor::uninitialised({1});
  loss[0] = static_cast<Real>(cross_entropy_forward(logits, y.data(), epsilon).mean_loss());
  out.add("loss", "", "L = mean of L_t", "§5.4", kCrossEntropy, std::move(loss), {});
}

}  // namespace

std::vector<TraceValue> trace_forward(Transformer& model, const Batch& batch,
                                      const TraceTokens& tokens) {
  DropoutMasks off;
  Transformer::Cache cache;
  model.forward(batch, off, cache);

  const bool tied = model.config().tie_embeddings;
  TraceRecorder out;
  out.stage = "Source: from tokens to vectors";
  out.add("x", "ids", "x", "§3.4", kEncode, ids_tensor(batch.source.ids), tokens.source);
  add_weight(out, tied ? "embedding.weight" : "source_embedding.weight", "E", "§3.4",
             kEmbeddingWeights, model.source_embedding.weight, tokens.vocabulary);
  trace_embedding({out, tokens.source}, "source", "x", model.source_embedding,
                  model.source_positions, batch.source, "e", cache.encoder.inputs[0]);
  trace_encoder(out, model.encoder, cache, tokens);

  out.stage = "Target: from tokens, shifted right, to vectors";
  out.add("y_shifted", "ids", "<bos> y_1 … y_m", "§3.1", kEncodeTarget,
          ids_tensor(batch.target_input.ids), tokens.target_input);
  if (!tied) {
    add_weight(out, "target_embedding.weight", "E", "§3.4", kEmbeddingWeights,
               model.target_embedding.weight, tokens.vocabulary);
  }
  trace_embedding({out, tokens.target_input}, "target", "y_shifted",
                  tied ? model.source_embedding : model.target_embedding, model.target_positions,
                  batch.target_input, "g", cache.decoder.inputs[0]);
  trace_decoder(out, model.decoder, cache, tokens);
  trace_output(out, model, batch, tokens);
  return std::move(out.values);
}

}  // namespace attn::app
