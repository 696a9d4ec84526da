// Figure 1, forward and backward.
#include "model/transformer.h"

#include <utility>

#include "model/embed.h"

namespace attn {

Transformer::Transformer(const TransformerConfig& c)
    : SequenceModel(checked_facts(c)),
      source_embedding(c.source_vocabulary, c.d_model),
      source_positions(c.positions, c.max_positions, c.d_model),
      target_positions(c.positions, c.max_positions, c.d_model),
      config_(c) {
  for (Index i = 0; i < c.layers; ++i) encoder.emplace_back(c);
  for (Index i = 0; i < c.layers; ++i) decoder.emplace_back(c);
  if (c.norm == NormPlacement::pre) encoder_norm = decoder_norm = LayerNorm(c.d_model);
  if (!c.tie_embeddings) {
    target_embedding = Embedding(c.target_vocabulary, c.d_model);
    projection = OutputProjection(c.d_model, c.target_vocabulary);
  }
}

void Transformer::visit_parameters(const ParameterVisitor& visitor) {
  visit_embeddings(source_embedding, target_embedding, projection, visitor);
  source_positions.visit("source_positions", visitor);
  target_positions.visit("target_positions", visitor);
  for (std::size_t i = 0; i < encoder.size(); ++i) encoder[i].visit(text("encoder.", i), visitor);
  if (config_.norm == NormPlacement::pre) encoder_norm.visit("encoder.norm", visitor);
  for (std::size_t i = 0; i < decoder.size(); ++i) decoder[i].visit(text("decoder.", i), visitor);
  if (config_.norm == NormPlacement::pre) decoder_norm.visit("decoder.norm", visitor);
}

Tensor Transformer::encode(const PackedIds& source, const Pass& pass, Cache& cache) const {
  pass.see("x", source.ids);
  Tensor x = embed(source_embedding, source_positions, source, config_.dropout, pass.in("source"),
                   cache.source_dropout);
  pass.see("e", x);

  cache.source = sentence_by_sentence(source.offsets, source.offsets, Mask::none);
  // Where no backward pass follows, all layers share one cache.
  cache.encoder.resize(pass.keeps() ? encoder.size() : 1);
  const Pass part = pass.in("encoder");
  for (std::size_t i = 0; i < encoder.size(); ++i) {
    x = encoder[i].forward(std::move(x), cache.source, part.in(i),
                           cache.encoder[pass.keeps() ? i : 0]);
  }
  if (config_.norm == NormPlacement::pre) {
    x = encoder_norm.forward(std::move(x), part.in("norm"), cache.encoder_norm);
  }
  pass.see("z", x);
  return x;
}

Tensor Transformer::forward(const Batch& batch, const Pass& pass, Cache& cache) const {
  // Source tokens become vectors, and pass through the encoder.
  cache.z = encode(batch.source, pass, cache);

  // Target tokens do the same, and pass through the decoder, which attends to the encoder's output.
  const PackedIds& target = batch.target_input;
  pass.see("y_shifted", target.ids);
  Tensor x = embed(target_embedding_used(), target_positions, target, config_.dropout,
                   pass.in("target"), cache.target_dropout);
  pass.see("g", x);

  // The decoder's mask, which layers/softmax.h applies: no token attends to those after it.
  cache.target = sentence_by_sentence(target.offsets, target.offsets, Mask::causal);
  cache.cross = sentence_by_sentence(target.offsets, batch.source.offsets, Mask::none);
  cache.decoder.resize(pass.keeps() ? decoder.size() : 1);  // as in encode()
  const Pass part = pass.in("decoder");
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    x = decoder[i].forward(std::move(x), {cache.z, cache.target, cache.cross}, part.in(i),
                           cache.decoder[pass.keeps() ? i : 0]);
  }
  if (config_.norm == NormPlacement::pre) {
    x = decoder_norm.forward(std::move(x), part.in("norm"), cache.decoder_norm);
  }
  pass.see("h", x);
  return x;  // Figure 1's Linear and Softmax follow in the output projection, see loss()
}

void Transformer::backward(Tensor dh, const Batch& batch, const Pass& pass, const Cache& cache) {
  // Through the decoder; each of its layers adds its part to dz.
  Tensor dx = std::move(dh), dz = Tensor::zeros(cache.z.shape());
  const Pass decoder_part = pass.in("decoder"), encoder_part = pass.in("encoder");
  if (config_.norm == NormPlacement::pre) {
    dx = decoder_norm.backward(dx, cache.decoder_norm);
    decoder_part.in("norm").see("dnorm", dx);
  }
  for (std::size_t i = decoder.size(); i-- > 0;) {  // from the last layer to the first
    dx = decoder[i].backward(dx, {cache.z, cache.target, cache.cross}, decoder_part.in(i),
                             cache.decoder[i], dz);
  }
  pass.see("dg", dx);
  embed_backward(target_embedding_used(), target_positions, std::move(dx), batch.target_input,
                 cache.target_dropout, pass.in("target"));

  // Through the encoder.
  pass.see("dz", dz);
  dx = std::move(dz);
  if (config_.norm == NormPlacement::pre) {
    dx = encoder_norm.backward(dx, cache.encoder_norm);
    encoder_part.in("norm").see("dnorm", dx);
  }
  for (std::size_t i = encoder.size(); i-- > 0;) {
    dx = encoder[i].backward(dx, cache.source, encoder_part.in(i), cache.encoder[i]);
  }
  pass.see("de", dx);
  embed_backward(source_embedding, source_positions, std::move(dx), batch.source,
                 cache.source_dropout, pass.in("source"));
}

LossSums Transformer::loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) {
  Cache cache;
  const Tensor h = forward(batch, pass.keeping(), cache);
  Tensor dh;
  const LossSums sums = projection.loss_and_gradients(
      h, target_embedding_used(), batch.target_output, config_.label_smoothing, scale, pass, dh);
  backward(std::move(dh), batch, pass, cache);
  return sums;
}

LossSums Transformer::loss(const Batch& batch, const Pass& pass) const {
  Cache unused;
  const Tensor h = forward(batch, pass, unused);
  return projection.loss(h, target_embedding_used(), batch.target_output, config_.label_smoothing,
                         pass);
}

Tensor Transformer::logits(const Batch& batch) const {
  Cache unused;
  return projection.logits(forward(batch, Pass(), unused), target_embedding_used());
}

}  // namespace attn
