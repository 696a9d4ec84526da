// Backward along Figure 1, gradient by gradient. Sub-layers call their parts' backward functions as
// MultiHeadAttention::backward and FeedForward::backward do, so that what is between the parts can
// be recorded; a test compares the parameters' gradients with the model's own, bit for bit.
#include <string>
#include <utility>

#include "app/trace.h"
#include "app/trace_back_sublayers.h"
#include "app/trace_makers.h"
#include "app/trace_parameters.h"

namespace attn::app {

namespace {

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
                         const LayerNorm::Cache& cache, const Gradient& dy, Index layers,
                         const Labels& rows) {
  out.stage = stack == "encoder" ? "Encoder, final norm" : "Decoder, final norm";
  add_dx_hat(out, stack + ".norm", norm, dy.value, dy.symbol, rows);
  Gradient dx{norm.backward(dy.value, cache), "dy"};
  out.add(layer_name(stack, layers - 1) + ".doutput", "", text("dy = ", kNormFormula), "§3.1",
          kLayerNormBackward, dx.value, rows);
  return dx;
}

Gradient back_decoder(TraceRecorder& out, Decoder& decoder, const Transformer::Cache& cache,
                      Gradient dy, const TraceTokens& tokens, Tensor& dz) {
  const Labels& rows = tokens.target_input;
  if (decoder.has_final_norm) {
    dy = back_final_norm(out, "decoder", decoder.final_norm, cache.decoder.final_norm, dy,
                         static_cast<Index>(decoder.layers.size()), rows);
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
    dy = back_final_norm(out, "encoder", encoder.final_norm, cache.encoder.final_norm, dy,
                         static_cast<Index>(encoder.layers.size()), rows);
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
            kEmbeddingBackward, std::move(alone.weight.gradient), tokens.vocabulary);
  }
  embedding.backward(de.value, ids);
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
  Tensor dlogits = trace_logits(model, cache.h);
  const Real scale = static_cast<Real>(1 / static_cast<double>(dlogits.rows()));
  cross_entropy_backward(dlogits, batch.target_output.data(),
                         static_cast<Real>(model.config().label_smoothing), scale);
  out.add("dlogits", "", "dlogits = (p − q)/T", "§5.4", kCrossEntropyBackward, dlogits,
          tokens.target_input, tokens.vocabulary);
  if (tied) {
    Tensor& dE = model.source_embedding.weight.gradient;
    matmul(transposed(dlogits), cache.h, dE, Write::add);
    out.add("dE.logits", "", "dE through logits = dlogitsᵀ h", "§3.4", kProjectionBackward, dE,
            tokens.vocabulary);
  } else {
    matmul(transposed(cache.h), dlogits, model.projection.gradient, Write::add);
  }
  Gradient dh{product(dlogits, tied ? ConstMatrixView(model.source_embedding.weight.value)
                                    : transposed(model.projection.value)),
              "dh"};
  out.add("dh", "", tied ? "dh = dlogits E" : "dh = dlogits Wᵀ", "§3.4", kProjectionBackward,
          dh.value, tokens.target_input);

  // The decoder, which adds up dz, and its embeddings.
  Tensor dz = Tensor::zeros(cache.z.shape());
  const Gradient dg = back_decoder(out, model.decoder, cache, std::move(dh), tokens, dz);
  out.stage = "Target: back to the embeddings";
  model.target_positions.backward(dg.value, batch.target_input.offsets);
  back_embedding(out, "dE.target", tied ? model.source_embedding : model.target_embedding, tied, dg,
                 batch.target_input.ids, tokens);

  // The encoder and its embeddings.
  out.stage = "Encoder output: what all decoder layers want of it";
  out.add("dz", "", "dz = through K and V of every layer", "§3.2.3", kTransformerBackward, dz,
          tokens.source);
  const Gradient de = back_encoder(out, model.encoder, cache, {std::move(dz), "dz"}, tokens.source);
  out.stage = "Source: back to the embeddings";
  model.source_positions.backward(de.value, batch.source.offsets);
  back_embedding(out, "dE.source", model.source_embedding, tied, de, batch.source.ids, tokens);

  add_parameter_gradients(out, model, tokens);
  return std::move(out.values);
}

}  // namespace attn::app
