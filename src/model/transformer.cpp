// Forward through Figure 1, and backward through it in reverse.
#include "model/transformer.h"

#include <utility>

#include "model/checked_config.h"
#include "model/embed.h"

namespace attn {

Transformer::Transformer(const TransformerConfig& c)
    : source_embedding(checked(c).source_vocabulary, c.d_model),
      source_positions(c.positions, c.max_positions, c.d_model),
      target_positions(c.positions, c.max_positions, c.d_model),
      encoder(c),
      decoder(c),
      config_(c) {
  if (!c.tie_embeddings) {
    target_embedding = Embedding(c.target_vocabulary, c.d_model);
    projection = OutputProjection(c.d_model, c.target_vocabulary);
  }
}

Settings Transformer::settings() const {
  return to_settings(config_);
}

void Transformer::visit_parameters(const ParameterVisitor& visitor) {
  visit_embeddings(source_embedding, target_embedding, projection, visitor);
  source_positions.visit("source_positions", visitor);
  target_positions.visit("target_positions", visitor);
  encoder.visit("encoder", visitor);
  decoder.visit("decoder", visitor);
}

const Embedding& Transformer::target_embedding_used() const {
  return config_.tie_embeddings ? source_embedding : target_embedding;
}

Embedding& Transformer::target_embedding_used() {
  return config_.tie_embeddings ? source_embedding : target_embedding;
}

Tensor Transformer::forward(const Batch& batch, const Pass& pass, Cache& cache) const {
  // Source tokens become vectors, and pass through the encoder.
  pass.see("x", batch.source.ids);
  Tensor e = embed(source_embedding, source_positions, batch.source, config_.dropout,
                   pass.in("source"), cache.source_mask);
  pass.see("e", e);
  Tensor z = encoder.forward(std::move(e), batch.source.offsets, pass.in("encoder"), cache.encoder);
  pass.see("z", z);

  // Target tokens do the same, and pass through the decoder, which looks at the encoder's output.
  pass.as("y_shifted", "y_shifted", "<bos> y_1 … y_m").see(batch.target_input.ids);
  Tensor g = embed(target_embedding_used(), target_positions, batch.target_input, config_.dropout,
                   pass.in("target"), cache.target_mask);
  pass.see("g", g);
  Tensor h = decoder.forward(std::move(g), {batch.target_input.offsets, z, batch.source.offsets},
                             pass.in("decoder"), cache.decoder);
  pass.see("h", h);
  if (pass.keeps()) cache.z = std::move(z);
  return h;
}

void Transformer::backward(Tensor dh, const Batch& batch, const Pass& pass, const Cache& cache) {
  // Through the decoder; each of its layers adds its part to dz.
  Tensor dz = Tensor::zeros(cache.z.shape());
  Tensor dg =
      decoder.backward(std::move(dh), {batch.target_input.offsets, cache.z, batch.source.offsets},
                       pass.in("decoder"), cache.decoder, dz);
  pass.see("dg", dg);
  embed_backward(target_embedding_used(), target_positions, std::move(dg), batch.target_input,
                 cache.target_mask, pass.in("target"));

  // Through the encoder.
  pass.see("dz", dz);
  Tensor de =
      encoder.backward(std::move(dz), batch.source.offsets, pass.in("encoder"), cache.encoder);
  pass.see("de", de);
  embed_backward(source_embedding, source_positions, std::move(de), batch.source, cache.source_mask,
                 pass.in("source"));
}

LossSums Transformer::loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) {
  Cache cache;
  Tensor h = forward(batch, pass.keeping(), cache), dh;
  const LossSums sums = projection.loss_and_gradients(h, source_embedding, batch.target_output,
                                                      config_.label_smoothing, scale, pass, dh);
  backward(std::move(dh), batch, pass.back(), cache);
  return sums;
}

LossSums Transformer::loss(const Batch& batch, const Pass& pass) const {
  Cache unused;
  const Tensor h = forward(batch, pass, unused);
  return projection.loss(h, source_embedding, batch.target_output, config_.label_smoothing, pass);
}

Tensor Transformer::logits(const Batch& batch) const {
  Cache unused;
  return projection.logits(forward(batch, Pass(), unused), source_embedding);
}

}  // namespace attn
