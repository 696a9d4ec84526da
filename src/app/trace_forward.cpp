// Forward along Figure 1, value by value.
#include <string>
#include <utility>

#include "app/trace.h"
#include "app/trace_makers.h"
#include "app/trace_sublayers.h"

namespace attn::app {

namespace {

Tensor ids_tensor(const std::vector<int>& ids) {
  Tensor result = Tensor::uninitialised({static_cast<Index>(ids.size())});
  Index t = 0;
  for (const int id : ids) result[t++] = static_cast<Real>(id);
  return result;
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

// From ids to e, or to g.
void trace_embedding(const Place& at, const std::string& side, const std::string& ids_symbol,
                     const Embedding& embedding, const PositionalEncoding& positions,
                     const PackedIds& ids, const std::string& sum_name, const Tensor& sum) {
  TraceRecorder& out = at.out;
  const bool learned = positions.kind == Positions::learned;
  out.add(side + ".embedding", "", "√d_model E[" + ids_symbol + "]", "§3.4", kEmbeddingForward,
          embedding.forward(ids.ids), at.rows);
  if (learned)
    add_weight(out, side + "_positions.weight", "PE", "§3.5", kPositionWeights, positions.weight);
  Tensor pe = Tensor::zeros(sum.shape());
  positions.forward(pe, ids.offsets);
  out.add(side + ".position", "PE", learned ? "PE, learned" : "PE = sin, cos, sin, cos, …", "§3.5",
          learned ? kPositionalEncodingForward : kSinusoidalEncoding, std::move(pe), at.rows);
  out.add(sum_name, "", sum_name + " = √d_model E[" + ids_symbol + "] + PE", "§3.4, §3.5",
          kPositionalEncodingForward, sum, at.rows);
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
    const LayerPlace place{at, layer_name("encoder", static_cast<Index>(i)),
                           "Encoder, layer " + std::to_string(i)};
    out.layer = static_cast<Index>(i);
    trace_attention_sublayer(
        place, {"self_attention", layer.self_attention, made.self_attention,
                layer.self_attention_residual, made.self_attention_residual, "", tokens.source,
                Mask::none, x_symbol, x, "attended", made.attended});
    x = trace_feed_forward_sublayer(
        place, {layer.feed_forward, made.feed_forward, layer.feed_forward_residual,
                made.feed_forward_residual, "attended", made.attended, output.name, output.symbol,
                !last                    ? cache.encoder.inputs[i + 1]
                : encoder.has_final_norm ? Tensor()
                                         : cache.z});
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
    const LayerPlace place{at, layer_name("decoder", static_cast<Index>(i)),
                           "Decoder, layer " + std::to_string(i)};
    out.layer = static_cast<Index>(i);
    trace_attention_sublayer(
        place, {"self_attention", layer.self_attention, made.self_attention,
                layer.self_attention_residual, made.self_attention_residual, "",
                tokens.target_input, Mask::causal, x_symbol, x, "attended", made.attended});
    trace_attention_sublayer(
        place, {"cross_attention", layer.cross_attention, made.cross_attention,
                layer.cross_attention_residual, made.cross_attention_residual, "z", tokens.source,
                Mask::none, "attended", made.attended, "informed", made.informed});
    x = trace_feed_forward_sublayer(
        place, {layer.feed_forward, made.feed_forward, layer.feed_forward_residual,
                made.feed_forward_residual, "informed", made.informed, output.name, output.symbol,
                !last                    ? cache.decoder.inputs[i + 1]
                : decoder.has_final_norm ? Tensor()
                                         : cache.h});
    x_symbol = output.symbol;
  }
  out.layer = -1;
  if (!decoder.has_final_norm) return;
  out.stage = "Decoder, final norm";
  trace_norm(at, "decoder.norm", decoder.final_norm, cache.decoder.final_norm, x, x_symbol, "h",
             "h", cache.h);
}

// From h to the loss.
void trace_output(TraceRecorder& out, const Transformer& model, const Tensor& h, const Batch& batch,
                  const TraceTokens& tokens) {
  const Config& config = model.config();
  const bool tied = config.tie_embeddings;
  const Real epsilon = static_cast<Real>(config.label_smoothing);
  const std::vector<int>& y = batch.target_output;
  out.stage = "Output: a distribution over the vocabulary, and the loss";
  if (!tied) {
    add_weight(out, "projection.weight", "W", "§3.4", kProjectionWeights, model.projection);
    out.values.back().columns = tokens.vocabulary;
  }
  Tensor logits = trace_logits(model, h);
  out.add("logits", "", tied ? "logits = h Eᵀ" : "logits = h W", "§3.4", kLogitsForward, logits,
          tokens.target_input, tokens.vocabulary);
  Tensor p = logits;
  softmax(p, 1, Mask::none);
  out.add("p", "distribution", "p = softmax(logits)", "§3.4", kSoftmaxForward, std::move(p),
          tokens.target_input, tokens.vocabulary);

  out.add("y", "ids", "y, the tokens to predict", "§3.1", kBatch, ids_tensor(y),
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
  out.add("q", "targets", "q = (1 − ε_ls) onehot(y) + ε_ls/V", "§5.4", kCrossEntropyForward,
          std::move(q), tokens.target_output, tokens.vocabulary);
  out.add("losses", "", "L_t = −Σ_v q_v log p_v", "§5.4", kCrossEntropyForward, std::move(losses),
          tokens.target_output);
  Tensor loss = Tensor::uninitialised({1});
  loss[0] = static_cast<Real>(cross_entropy_forward(logits, y.data(), epsilon).mean_loss());
  out.add("loss", "", "L = mean of L_t", "§5.4", kCrossEntropyForward, std::move(loss), {});
}

}  // namespace

Tensor trace_logits(const Transformer& model, const Tensor& h) {
  Tensor logits = Tensor::uninitialised({h.rows(), model.config().target_vocabulary});
  if (model.config().tie_embeddings) {
    matmul(h, transposed(model.source_embedding.weight.value), logits);
  } else {
    matmul(h, model.projection.value, logits);
  }
  return logits;
}

std::vector<TraceValue> trace_forward(Transformer& model, const Batch& batch,
                                      const TraceTokens& tokens) {
  DropoutMasks off;
  Transformer::Cache cache;
  model.forward(batch, off, cache);

  const bool tied = model.config().tie_embeddings;
  TraceRecorder out;
  out.stage = "Source: from tokens to vectors";
  out.add("x", "ids", "x", "§3.4", kEncodeSource, ids_tensor(batch.source.ids), tokens.source);
  add_weight(out, tied ? "embedding.weight" : "source_embedding.weight", "E", "§3.4",
             kEmbeddingWeights, model.source_embedding.weight, tokens.vocabulary);
  trace_embedding({out, tokens.source}, "source", "x", model.source_embedding,
                  model.source_positions, batch.source, "e", cache.encoder.inputs[0]);
  trace_encoder(out, model.encoder, cache, tokens);

  out.stage = "Target: from tokens, shifted right, to vectors";
  out.add("y_shifted", "ids", "<bos> y_1 … y_m", "§3.1", kBatch, ids_tensor(batch.target_input.ids),
          tokens.target_input);
  if (!tied) {
    add_weight(out, "target_embedding.weight", "E", "§3.4", kEmbeddingWeights,
               model.target_embedding.weight, tokens.vocabulary);
  }
  trace_embedding({out, tokens.target_input}, "target", "y_shifted",
                  tied ? model.source_embedding : model.target_embedding, model.target_positions,
                  batch.target_input, "g", cache.decoder.inputs[0]);
  trace_decoder(out, model.decoder, cache, tokens);
  trace_output(out, model, cache.h, batch, tokens);
  return std::move(out.values);
}

}  // namespace attn::app
