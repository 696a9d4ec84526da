// Backward along Figure 1, gradient by gradient. Sub-layers call their parts' backward functions as
// MultiHeadAttention::backward and FeedForward::backward do, so that what is between the parts can
// be recorded; a test compares the parameters' gradients with the model's own, bit for bit.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "app/trace.h"
#include "kernels/vector.h"

namespace attn::app {

namespace {

constexpr Maker kCrossEntropy{"cross_entropy_backward", "src/layers/cross_entropy.cpp"};
constexpr Maker kProjection{"Transformer::loss_and_gradients", "src/model/transformer.cpp"};
constexpr Maker kModel{"Transformer::backward", "src/model/transformer.cpp"};
constexpr Maker kLayerNorm{"LayerNorm::backward", "src/layers/layer_norm.cpp"};
constexpr Maker kResidual{"Residual::backward", "src/layers/residual.cpp"};
constexpr Maker kFeedForward{"FeedForward::backward", "src/layers/feed_forward.cpp"};
constexpr Maker kLinear{"Linear::backward", "src/layers/linear.cpp"};
constexpr Maker kLinearAdd{"Linear::backward_add", "src/layers/linear.cpp"};
constexpr Maker kMultiHead{"MultiHeadAttention::backward", "src/layers/multi_head_attention.cpp"};
constexpr Maker kAttention{"attention_backward", "src/layers/attention.cpp"};
constexpr Maker kSoftmax{"softmax_backward", "src/layers/softmax.cpp"};
constexpr Maker kSelfAttention{"self_attention_backward", "src/model/encoder_layer.cpp"};
constexpr Maker kEmbedding{"Embedding::backward", "src/layers/embedding.cpp"};
constexpr Maker kPositions{"PositionalEncoding::backward", "src/layers/positional_encoding.cpp"};

const char* const kNormFormula = "(dx̂ − mean(dx̂) − x̂ mean(dx̂ ⊙ x̂))/σ";

// dx̂ = γ ⊙ dy, which LayerNorm::backward computes on its way.
void add_dx_hat(TraceRecorder& out, const std::string& name, const LayerNorm& norm,
                const Tensor& dy, const std::string& dy_symbol, const Labels& rows) {
  Tensor dx_hat = dy;
  for (Index t = 0; t < dy.rows(); ++t) {
    for (Index j = 0; j < dy.cols(); ++j) dx_hat(t, j) *= norm.gamma.value[j];
  }
  out.add(name + ".dx_hat", "", "dx̂ = γ ⊙ " + dy_symbol, "§3.1", kLayerNorm, std::move(dx_hat),
          rows);
}

Tensor product(const ConstMatrixView& A, const ConstMatrixView& B) {
  Tensor C = Tensor::uninitialised({A.rows, B.cols});
  matmul(A, B, C);
  return C;
}

// A gradient on its way back: its numbers and its symbol.
struct Gradient {
  Tensor value;
  std::string symbol;
};

// What surrounds a sub-layer that reads `x`: from dy to dx, of that name. `sublayer` leads from the
// gradient of the sub-layer's output to that of its input u.
struct AddAndNorm {
  std::string name, stage;
  Residual& residual;
  const Residual::Cache& cache;
  const Tensor& x;
  std::string dx_name, dx_symbol;
};

Gradient back_add_and_norm(
    TraceRecorder& out, const AddAndNorm& around, const Gradient& dy, const Labels& rows,
    const std::function<Tensor(const Gradient& df, const Tensor& u)>& sublayer) {
  const std::string norm_stage = around.stage + ", Add & Norm";
  const bool post = around.residual.placement == NormPlacement::post;
  if (post) {
    out.stage = norm_stage;
    add_dx_hat(out, around.name, around.residual.norm, dy.value, dy.symbol, rows);
  }
  Tensor dx = around.residual.backward(
      dy.value, around.x, around.cache, [&](const Tensor& df, const Tensor& u) {
        if (post) {
          out.add(around.name + ".dsum", "", text("ds = ", kNormFormula), "§3.1", kLayerNorm, df,
                  rows);
        }
        out.stage = around.stage;
        Tensor du = sublayer({df, post ? "ds" : dy.symbol}, u);
        out.stage = norm_stage;
        if (!post) add_dx_hat(out, around.name, around.residual.norm, du, "du", rows);
        return du;
      });
  const std::string formula = post ? "ds + du" : text(dy.symbol, " + ", kNormFormula);
  out.add(around.dx_name, "", around.dx_symbol + " = " + formula, "§3.1", kResidual, dx, rows);
  return {std::move(dx), around.dx_symbol};
}

Tensor back_feed_forward(TraceRecorder& out, const std::string& name, FeedForward& layer,
                         const FeedForward::Cache& cache, const Gradient& dy, const Tensor& x,
                         const Labels& rows) {
  Tensor da = layer.outer.backward(dy.value, cache.hidden);
  out.add(name + ".dhidden", "", "dmax(0, a) = " + dy.symbol + " W₂ᵀ", "§3.3", kLinear, da, rows);
  vector_relu_backward(da.elements(), cache.hidden.data(), da.data());
  out.add(name + ".dinner", "", "da = dmax(0, a) where a > 0, else 0", "§3.3", kFeedForward, da,
          rows);
  Tensor dx = layer.inner.backward(da, x);
  out.add(name + ".dx", "", "du = da W₁ᵀ", "§3.3", kLinear, dx, rows);
  return dx;
}

// What an attention read, and where its gradients go.
struct Reads {
  const Tensor& x;
  const Tensor& memory;
  Mask mask;
  const Labels& queries;
  const Labels& keys;
  std::string memory_symbol;  // "u" in self-attention, or "z"
};

void back_head(TraceRecorder& out, const std::string& name, const MultiHeadAttention& layer,
               const MultiHeadAttention::Cache& cache, const Reads& reads, Index head,
               const ConstMatrixView& dO, const MatrixView& dQ, const MatrixView& dK,
               const MatrixView& dV) {
  const Index m = cache.Q.rows(), n = cache.K.rows(), d_k = layer.d_k, d_v = layer.d_v;
  const ConstMatrixView Q = block(cache.Q, 0, m, head * d_k, d_k);
  const ConstMatrixView K = block(cache.K, 0, n, head * d_k, d_k);
  const ConstMatrixView V = block(cache.V, 0, n, head * d_v, d_v);
  const ConstMatrixView P(cache.P.data() + head * m * n, m, n, n);
  attention_backward(dO, Q, K, V, P, {reads.mask, {}, 0}, dQ, dK, dV);

  // What attention_backward writes dS over.
  Tensor dP = product(dO, transposed(V));
  Tensor dA = dP, dS = dP;
  softmax_backward(P, 1, reads.mask, dA);
  softmax_backward(P, score_scale(layer), reads.mask, dS);

  out.head = head;
  const std::string section = "§3.2.1, eq. (1)";
  out.add(name + ".dO", "outputs", "dO, this head's part of dConcat", "§3.2.2", kMultiHead,
          copy_of(dO), reads.queries);
  out.add(name + ".dV", "values", "dV = Pᵀ dO", section, kAttention, copy_of(dV), reads.keys);
  out.add(name + ".dP", "weights", "dP = dO Vᵀ", section, kAttention, std::move(dP), reads.queries,
          reads.keys);
  out.add(name + ".dA", "masked", "dA = P ⊙ (dP − rowsum(P ⊙ dP))", section, kSoftmax,
          std::move(dA), reads.queries, reads.keys);
  out.add(name + ".dS", "scores", "dS = dA/√d_k", section, kSoftmax, std::move(dS), reads.queries,
          reads.keys);
  out.add(name + ".dQ", "queries", "dQ = dS K", section, kAttention, copy_of(dQ), reads.queries);
  out.add(name + ".dK", "keys", "dK = dSᵀ Q", section, kAttention, copy_of(dK), reads.keys);
  out.head = -1;
}

// Returns dx through the queries, and adds the gradient through keys and values to dmemory.
Tensor back_attention(TraceRecorder& out, const std::string& name, MultiHeadAttention& layer,
                      const MultiHeadAttention::Cache& cache, const Gradient& dy,
                      const Reads& reads, Tensor& dmemory) {
  const Index m = cache.Q.rows(), n = cache.K.rows(), d_k = layer.d_k, d_v = layer.d_v;
  const Tensor dconcat = layer.output.backward(dy.value, cache.concat);
  out.add(name + ".dconcat", "", "dConcat = " + dy.symbol + " W^Oᵀ", "§3.2.2", kLinear, dconcat,
          reads.queries);
  Tensor dQ = Tensor::uninitialised(cache.Q.shape());
  Tensor dK = Tensor::uninitialised(cache.K.shape());
  Tensor dV = Tensor::uninitialised(cache.V.shape());
  for (Index i = 0; i < layer.heads; ++i) {
    back_head(out, name + ".heads." + std::to_string(i), layer, cache, reads, i,
              block(dconcat, 0, m, i * d_v, d_v), block(dQ, 0, m, i * d_k, d_k),
              block(dK, 0, n, i * d_k, d_k), block(dV, 0, n, i * d_v, d_v));
  }

  const std::string& u = reads.memory_symbol;
  layer.key.backward_add(dK, reads.memory, dmemory);
  out.add(name + ".d" + u + "_K", "", "d" + u + " through K = dK W^Kᵀ", "§3.2.2", kLinearAdd,
          product(dK, transposed(layer.key.weight.value)), reads.keys);
  layer.value.backward_add(dV, reads.memory, dmemory);
  out.add(name + ".d" + u + "_V", "", "d" + u + " through V = dV W^Vᵀ", "§3.2.2", kLinearAdd,
          product(dV, transposed(layer.value.weight.value)), reads.keys);
  Tensor dx = layer.query.backward(dQ, reads.x);
  out.add(name + ".du_Q", "", "du through Q = dQ W^Qᵀ", "§3.2.2", kLinear, dx, reads.queries);
  return dx;
}

// Self-attention reads u three times and collects the gradient of all three.
Tensor back_self_attention(TraceRecorder& out, const std::string& name, MultiHeadAttention& layer,
                           const MultiHeadAttention::Cache& cache, const Gradient& dy,
                           const Tensor& u, Mask mask, const Labels& rows) {
  Tensor du = Tensor::zeros(u.shape());
  const Tensor through_queries =
      back_attention(out, name, layer, cache, dy, {u, u, mask, rows, rows, "u"}, du);
  add(through_queries, du);
  out.add(name + ".dx", "", "du = the sum of these three", "§3.2.3", kSelfAttention, du, rows);
  return du;
}

// The gradient of what layer i read: of layer i − 1's output, or of e (g).
AddAndNorm first_sublayer(const std::string& stack, std::size_t i, const std::string& stage,
                          const std::string& embedded, Residual& residual,
                          const Residual::Cache& cache, const Tensor& x) {
  const Index layer = static_cast<Index>(i);
  const std::string input = i == 0 ? embedded : layer_name(stack, layer - 1) + ".output";
  return {layer_name(stack, layer) + ".self_attention_norm",
          stage + ", self-attention",
          residual,
          cache,
          x,
          gradient_name(input),
          i == 0 ? "d" + embedded : "dy"};
}

// A stack's final norm, with pre-norm only.
Gradient back_final_norm(TraceRecorder& out, const std::string& stack, LayerNorm& norm,
                         const LayerNorm::Cache& cache, Gradient dy, Index layers,
                         const Labels& rows) {
  out.stage = stack == "encoder" ? "Encoder, final norm" : "Decoder, final norm";
  add_dx_hat(out, stack + ".norm", norm, dy.value, dy.symbol, rows);
  Gradient dx{norm.backward(dy.value, cache), "dy"};
  out.add(layer_name(stack, layers - 1) + ".doutput", "", text("dy = ", kNormFormula), "§3.1",
          kLayerNorm, dx.value, rows);
  return dx;
}

Gradient back_decoder(TraceRecorder& out, Decoder& decoder, const Transformer::Cache& cache,
                      Gradient dy, const TraceTokens& tokens, Tensor& dz) {
  const Labels& rows = tokens.target_input;
  if (decoder.has_final_norm) {
    dy = back_final_norm(out, "decoder", decoder.final_norm, cache.decoder.final_norm,
                         std::move(dy), static_cast<Index>(decoder.layers.size()), rows);
  }
  for (std::size_t i = decoder.layers.size(); i-- > 0;) {
    DecoderLayer& layer = decoder.layers[i];
    const DecoderLayer::Cache& made = cache.decoder.layers[i];
    const std::string name = layer_name("decoder", static_cast<Index>(i));
    const std::string stage = "Decoder, layer " + std::to_string(i);
    out.layer = static_cast<Index>(i);
    dy = back_add_and_norm(
        out,
        {name + ".feed_forward_norm", stage + ", feed-forward network", layer.feed_forward_residual,
         made.feed_forward_residual, made.informed, name + ".dinformed", "dinformed"},
        dy, rows, [&](const Gradient& df, const Tensor& u) {
          return back_feed_forward(out, name + ".feed_forward", layer.feed_forward,
                                   made.feed_forward, df, u, rows);
        });
    dy = back_add_and_norm(out,
                           {name + ".cross_attention_norm", stage + ", encoder–decoder attention",
                            layer.cross_attention_residual, made.cross_attention_residual,
                            made.attended, name + ".dattended", "dattended"},
                           dy, rows, [&](const Gradient& df, const Tensor& u) {
                             return back_attention(
                                 out, name + ".cross_attention", layer.cross_attention,
                                 made.cross_attention, df,
                                 {u, cache.z, Mask::none, rows, tokens.source, "z"}, dz);
                           });
    dy = back_add_and_norm(out,
                           first_sublayer("decoder", i, stage, "g", layer.self_attention_residual,
                                          made.self_attention_residual, cache.decoder.inputs[i]),
                           dy, rows, [&](const Gradient& df, const Tensor& u) {
                             return back_self_attention(out, name + ".self_attention",
                                                        layer.self_attention, made.self_attention,
                                                        df, u, Mask::causal, rows);
                           });
  }
  out.layer = -1;
  return dy;
}

Gradient back_encoder(TraceRecorder& out, Encoder& encoder, const Transformer::Cache& cache,
                      Gradient dy, const Labels& rows) {
  if (encoder.has_final_norm) {
    dy = back_final_norm(out, "encoder", encoder.final_norm, cache.encoder.final_norm,
                         std::move(dy), static_cast<Index>(encoder.layers.size()), rows);
  }
  for (std::size_t i = encoder.layers.size(); i-- > 0;) {
    EncoderLayer& layer = encoder.layers[i];
    const EncoderLayer::Cache& made = cache.encoder.layers[i];
    const std::string name = layer_name("encoder", static_cast<Index>(i));
    const std::string stage = "Encoder, layer " + std::to_string(i);
    out.layer = static_cast<Index>(i);
    dy = back_add_and_norm(
        out,
        {name + ".feed_forward_norm", stage + ", feed-forward network", layer.feed_forward_residual,
         made.feed_forward_residual, made.attended, name + ".dattended", "dattended"},
        dy, rows, [&](const Gradient& df, const Tensor& u) {
          return back_feed_forward(out, name + ".feed_forward", layer.feed_forward,
                                   made.feed_forward, df, u, rows);
        });
    dy = back_add_and_norm(out,
                           first_sublayer("encoder", i, stage, "e", layer.self_attention_residual,
                                          made.self_attention_residual, cache.encoder.inputs[i]),
                           dy, rows, [&](const Gradient& df, const Tensor& u) {
                             return back_self_attention(out, name + ".self_attention",
                                                        layer.self_attention, made.self_attention,
                                                        df, u, Mask::none, rows);
                           });
  }
  out.layer = -1;
  return dy;
}

// Adds to dE; with tied embeddings this part is recorded by itself.
void back_embedding(TraceRecorder& out, const std::string& name, Embedding& embedding, bool tied,
                    const Gradient& de, const std::vector<int>& ids, const TraceTokens& tokens) {
  if (tied) {
    Embedding alone = embedding;
    alone.weight.gradient.fill(0);
    alone.backward(de.value, ids);
    out.add(name, "", "dE through " + de.symbol.substr(1) + " = √d_model Σ " + de.symbol, "§3.4",
            kEmbedding, std::move(alone.weight.gradient), tokens.vocabulary);
  }
  embedding.backward(de.value, ids);
}

// How a parameter's gradient is made, by the end of its name.
struct ParameterFormula {
  const char *ending, *formula, *section;
  Maker maker;
};

const ParameterFormula kParameterFormulas[] = {
    {"source_embedding.weight", "dE = √d_model Σ de", "§3.4", kEmbedding},
    {"target_embedding.weight", "dE = √d_model Σ dg", "§3.4", kEmbedding},
    {"projection.weight", "dW = hᵀ dlogits", "§3.4", kProjection},
    {"embedding.weight", "dE = through logits + g + e", "§3.4", kEmbedding},
    {"positions.weight", "dPE = de, dg by position", "§3.5", kPositions},
    {"self_attention.key.weight", "dW^K = uᵀ dK", "§3.2.2", kLinearAdd},
    {"self_attention.value.weight", "dW^V = uᵀ dV", "§3.2.2", kLinearAdd},
    {"cross_attention.key.weight", "dW^K = zᵀ dK", "§3.2.2", kLinearAdd},
    {"cross_attention.value.weight", "dW^V = zᵀ dV", "§3.2.2", kLinearAdd},
    {"query.weight", "dW^Q = uᵀ dQ", "§3.2.2", kLinear},
    {"attention.output.weight", "dW^O = Concatᵀ dMultiHead", "§3.2.2", kLinear},
    {"query.bias", "db^Q = Σ_t dQ_t", "§3.2.2", kLinear},
    {"key.bias", "db^K = Σ_t dK_t", "§3.2.2", kLinearAdd},
    {"value.bias", "db^V = Σ_t dV_t", "§3.2.2", kLinearAdd},
    {"attention.output.bias", "db^O = Σ_t dMultiHead_t", "§3.2.2", kLinear},
    {"inner.weight", "dW₁ = uᵀ da", "§3.3", kLinear},
    {"inner.bias", "db₁ = Σ_t da_t", "§3.3", kLinear},
    {"outer.weight", "dW₂ = max(0, a)ᵀ dFFN", "§3.3", kLinear},
    {"outer.bias", "db₂ = Σ_t dFFN_t", "§3.3", kLinear},
    {"gamma", "dγ = Σ_t dy_t ⊙ x̂_t", "§3.1", kLayerNorm},
    {"beta", "dβ = Σ_t dy_t", "§3.1", kLayerNorm},
};

const ParameterFormula& formula_of(const std::string& name) {
  for (const ParameterFormula& entry : kParameterFormulas) {
    const std::string ending = entry.ending;
    if (name.size() >= ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
      return entry;
    }
  }
  throw Error("no formula for the gradient of " + name);
}

void add_parameters(TraceRecorder& out, Transformer& model, const TraceTokens& tokens) {
  out.stage = "Parameters";
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    const ParameterFormula& how = formula_of(name);
    const bool by_token = name.find("embedding") != name.npos;
    const bool in_layer = name.compare(2, 5, "coder") == 0 && name[8] >= '0' && name[8] <= '9';
    out.layer = in_layer ? std::stoi(name.substr(8)) : -1;
    out.add(gradient_name(name), "", how.formula, how.section, how.maker, parameter.gradient,
            by_token ? tokens.vocabulary : Labels());
  });
  out.layer = -1;
}

}  // namespace

std::vector<TraceValue> trace_backward(Transformer& model, const Batch& batch,
                                       const TraceTokens& tokens) {
  const bool tied = model.config().tie_embeddings;
  DropoutMasks off;
  Transformer::Cache cache;
  model.forward(batch, off, cache);
  zero_gradients(model);
  TraceRecorder out;

  // The loss and the output projection.
  out.stage = "Output: the loss and the logits";
  Tensor dlogits = model.logits(batch);
  const Real scale = static_cast<Real>(1 / static_cast<double>(dlogits.rows()));
  cross_entropy_backward(dlogits, batch.target_output.data(),
                         static_cast<Real>(model.config().label_smoothing), scale);
  out.add("dlogits", "", "dlogits = (p − q)/T", "§5.4", kCrossEntropy, dlogits, tokens.target_input,
          tokens.vocabulary);
  if (tied) {
    Tensor& dE = model.source_embedding.weight.gradient;
    matmul(transposed(dlogits), cache.h, dE, Write::add);
    out.add("dE.logits", "", "dE through logits = dlogitsᵀ h", "§3.4", kProjection, dE,
            tokens.vocabulary);
  } else {
    matmul(transposed(cache.h), dlogits, model.projection.gradient, Write::add);
  }
  Gradient dh{product(dlogits, tied ? ConstMatrixView(model.source_embedding.weight.value)
                                    : transposed(model.projection.value)),
              "dh"};
  out.add("dh", "", tied ? "dh = dlogits E" : "dh = dlogits Wᵀ", "§3.4", kProjection, dh.value,
          tokens.target_input);

  // The decoder, which adds up dz, and its embeddings.
  Tensor dz = Tensor::zeros(cache.z.shape());
  const Gradient dg = back_decoder(out, model.decoder, cache, std::move(dh), tokens, dz);
  out.stage = "Target: back to the embeddings";
  model.target_positions.backward(dg.value, batch.target_input.offsets);
  back_embedding(out, "dE.target", tied ? model.source_embedding : model.target_embedding, tied, dg,
                 batch.target_input.ids, tokens);

  // The encoder and its embeddings.
  out.stage = "Encoder output: what all decoder layers want of it";
  out.add("dz", "", "dz = through K and V of every layer", "§3.2.3", kModel, dz, tokens.source);
  const Gradient de = back_encoder(out, model.encoder, cache, {std::move(dz), "dz"}, tokens.source);
  out.stage = "Source: back to the embeddings";
  model.source_positions.backward(de.value, batch.source.offsets);
  back_embedding(out, "dE.source", model.source_embedding, tied, de, batch.source.ids, tokens);

  add_parameters(out, model, tokens);
  return std::move(out.values);
}

}  // namespace attn::app
