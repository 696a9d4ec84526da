// Forward through encoder and decoder, backward in reverse, and decoding step by step.
#include "lab/predecessors/recurrent_model.h"

#include <numeric>
#include <utility>

namespace attn {

RecurrentModel::RecurrentModel(const RecurrentConfig& c)
    : SequenceModel(checked_facts(c)),
      source_embedding(c.source_vocabulary, c.d_model),
      encoder(c),
      decoder(c),
      config_(c) {
  if (!c.tie_embeddings) {
    target_embedding = Embedding(c.target_vocabulary, c.d_model);
    projection = OutputProjection(c.d_model, c.target_vocabulary);
  }
}

void RecurrentModel::visit_parameters(const ParameterVisitor& visitor) {
  visit_embeddings(source_embedding, target_embedding, projection, visitor);
  encoder.visit("encoder", visitor);
  decoder.visit("decoder", visitor);
}

Tensor RecurrentModel::forward(const Batch& batch, const Pass& pass, Cache& cache) const {
  // The source: vectors, and the encoder's states.
  pass.see("x", batch.source.ids);
  const Pass source = pass.in("source");
  Tensor e = source_embedding.forward(batch.source.ids);
  source.see("embedding", e);
  cache.source_dropout = source.drop(config_.dropout, e);
  RecurrentEncoder::Output encoded =
      encoder.forward(std::move(e), batch.source.offsets, pass.in("encoder"), cache.encoder);
  Tensor K = attends() ? decoder.alignment.keys_of(encoded.z) : Tensor();

  // The target: the same, and the decoder, which begins where the encoder ended.
  pass.see("y_shifted", batch.target_input.ids);
  const Pass target = pass.in("target");
  Tensor g = target_embedding_used().forward(batch.target_input.ids);
  target.see("embedding", g);
  cache.target_dropout = target.drop(config_.dropout, g);
  const AlignmentMemory memory{
      K, encoded.z, looks_of_sentences(batch.target_input.offsets, batch.source.offsets)};
  Tensor h = decoder.forward(std::move(g), batch.target_input.offsets, memory, encoded.start,
                             pass.in("decoder"), cache.decoder);
  pass.see("h", h);
  cache.output_dropout = pass.drop(config_.dropout, h);
  if (pass.keeps()) {
    cache.z = std::move(encoded.z);
    cache.K = std::move(K);
  }
  return h;
}

void RecurrentModel::backward(Tensor dh, const Batch& batch, const Pass& pass, const Cache& cache) {
  // Through the decoder, back to the states it started with and, with attention, to all of z.
  dropout(cache.output_dropout, dh);
  Tensor dz = Tensor::zeros(cache.z.shape()), dK = Tensor::zeros(cache.K.shape());
  std::vector<Recurrent::State> dstart;
  const AlignmentMemory memory{
      cache.K, cache.z, looks_of_sentences(batch.target_input.offsets, batch.source.offsets)};
  Tensor dg =
      decoder.backward(std::move(dh), memory, pass.in("decoder"), cache.decoder, dz, dK, dstart);
  dropout(cache.target_dropout, dg);
  target_embedding_used().backward(dg, batch.target_input.ids);
  if (attends()) decoder.alignment.keys_backward(dK, cache.z, dz);
  pass.see("dz", dz);

  // Through the encoder.
  Tensor de = encoder.backward(std::move(dz), dstart, pass.in("encoder"), cache.encoder);
  dropout(cache.source_dropout, de);
  source_embedding.backward(de, batch.source.ids);
}

LossSums RecurrentModel::loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) {
  Cache cache;
  const Tensor h = forward(batch, pass.keeping(), cache);
  Tensor dh;
  const LossSums sums = projection.loss_and_gradients(h, source_embedding, batch.target_output,
                                                      config_.label_smoothing, scale, pass, dh);
  backward(std::move(dh), batch, pass, cache);
  return sums;
}

LossSums RecurrentModel::loss(const Batch& batch, const Pass& pass) const {
  Cache unused;
  const Tensor h = forward(batch, pass, unused);
  return projection.loss(h, source_embedding, batch.target_output, config_.label_smoothing, pass);
}

namespace {

struct RecurrentDecodingState final : DecodingState {
  const RecurrentModel& model;
  Tensor z, K;                           // of all source sentences
  Looks looks;                           // of each row
  std::vector<Recurrent::State> states;  // of each layer: [R, n]

  RecurrentDecodingState(const RecurrentModel& its_model, const PackedIds& source)
      : model(its_model), looks(looks_of_rows(source.offsets)) {
    RecurrentEncoder::Cache unused;
    RecurrentEncoder::Output encoded = model.encoder.forward(
        model.source_embedding.forward(source.ids), source.offsets, Pass(), unused);
    if (model.attends()) K = model.decoder.alignment.keys_of(encoded.z);
    z = std::move(encoded.z);
    states = std::move(encoded.start);
  }

  // A step of decoding is the decoder on sentences of one token that start where the last ended.
  Tensor next_logits(const std::vector<int>& tokens) override {
    ATTN_CHECK_EQ(tokens.size(), looks.size(), "tokens and rows of the decoding state");
    Offsets offsets(tokens.size() + 1);
    std::iota(offsets.begin(), offsets.end(), Index{0});
    RecurrentDecoder::Cache unused;
    std::vector<Recurrent::State> last;
    const Tensor h = model.decoder.forward(model.target_embedding_used().forward(tokens), offsets,
                                           {K, z, looks}, states, Pass(), unused, &last);
    states = std::move(last);
    return model.projection.logits(h, model.source_embedding);
  }

  void reorder(const std::vector<Index>& rows) override {
    looks = reordered(looks, rows);
    for (Recurrent::State& layer : states) {
      layer.h = gathered(layer.h, rows);
      if (!layer.c.empty()) layer.c = gathered(layer.c, rows);
    }
  }
};

}  // namespace

std::unique_ptr<DecodingState> RecurrentModel::start_decoding(const PackedIds& source) const {
  return std::make_unique<RecurrentDecodingState>(*this, source);
}

}  // namespace attn
