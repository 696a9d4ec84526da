// Forward through ConvS2S, backward through it in reverse, and decoding step by step.
#include "lab/predecessors/convs2s.h"

#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"
#include "lab/predecessors/time_steps.h"
#include "model/embed.h"

namespace attn {

namespace {

// Words and positions start as N(0, 0.1²), §3.5: scores d zᵀ are not divided by √d_model.
constexpr double kEmbeddingDeviation = 0.1;

Embedding make_embedding(Index vocabulary, Index d_model) {
  Embedding embedding(vocabulary, d_model);
  embedding.weight.scale *= kEmbeddingDeviation;  // of E; √d_model · E is what layers see
  return embedding;
}

PositionalEncoding make_positions(const ConvS2SConfig& c) {
  PositionalEncoding positions(Positions::learned, c.max_positions, c.d_model);
  positions.weight.scale = kEmbeddingDeviation;
  return positions;
}

// x ← √½ x
void halve(Tensor& x) {
  parallel_ranges(x.elements(), 1 << 14, [&](Index begin, Index end) {
    Real* part = x.data() + begin;
    kernels().vector_scaled_copy(end - begin, std::sqrt(Real(0.5)), part, part);
  });
}

// x ← √½ (x + f)
void add_and_halve(const Tensor& f, Tensor& x) {
  add(f, x);
  halve(x);
}

}  // namespace

ConvS2S::ConvS2S(const ConvS2SConfig& c)
    : SequenceModel(checked_facts(c)),
      source_embedding(make_embedding(c.source_vocabulary, c.d_model)),
      source_positions(make_positions(c)),
      target_positions(make_positions(c)),
      config_(c) {
  if (!c.tie_embeddings) {
    target_embedding = make_embedding(c.target_vocabulary, c.d_model);
    projection = OutputProjection(c.d_model, c.target_vocabulary);
  }
  for (Index i = 0; i < c.layers; ++i) {
    encoder.emplace_back(c.d_model, Window{c.encoder_kernel, false}, c.dropout);
    decoder.push_back({GatedConvolution(c.d_model, {c.decoder_kernel, true}, c.dropout),
                       ConvS2SAttention(c.d_model)});
  }
}

void ConvS2S::visit_parameters(const ParameterVisitor& visitor) {
  visit_embeddings(source_embedding, target_embedding, projection, visitor);
  source_positions.visit("source_positions", visitor);
  target_positions.visit("target_positions", visitor);
  for (std::size_t i = 0; i < encoder.size(); ++i) {
    encoder[i].visit("encoder." + std::to_string(i), visitor);
  }
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    decoder[i].convolution.visit("decoder." + std::to_string(i), visitor);
    decoder[i].attention.visit("decoder." + std::to_string(i) + ".attention", visitor);
  }
}

Tensor ConvS2S::encode(const PackedIds& source, const Pass& pass, Cache& cache, Tensor& v) const {
  pass.see("x", source.ids);
  const Tensor e = embed(source_embedding, source_positions, source, config_.dropout,
                         pass.in("source"), cache.source_dropout);
  pass.see("e", e);
  cache.encoder.resize(encoder.size());
  cache.encoder_inputs.resize(encoder.size());
  const Pass stack = pass.in("encoder");
  Tensor x = e;
  for (std::size_t i = 0; i < encoder.size(); ++i) {
    const Pass layer = stack.in(i);
    Tensor y = encoder[i].forward(x, source.offsets, layer, cache.encoder[i]);
    add_and_halve(x, y);
    layer.see("output", y);
    if (pass.keeps()) cache.encoder_inputs[i] = std::move(x);
    x = std::move(y);
  }
  v = e;
  add(x, v);
  pass.see("v", v);
  return x;
}

Tensor ConvS2S::forward(const Batch& batch, const Pass& pass, Cache& cache) const {
  // Source words become vectors, and pass through the encoder.
  Tensor v;
  Tensor z = encode(batch.source, pass, cache, v);

  // Target words do the same, and pass through the decoder, whose every layer looks at the source.
  const Offsets& offsets = batch.target_input.offsets;
  const AlignmentMemory memory{z, v, looks_of_sentences(offsets, batch.source.offsets)};
  pass.see("y_shifted", batch.target_input.ids);
  const Tensor g = embed(target_embedding_used(), target_positions, batch.target_input,
                         config_.dropout, pass.in("target"), cache.target_dropout);
  pass.see("g", g);
  cache.decoder.resize(decoder.size());
  const Pass stack = pass.in("decoder");
  Tensor x = g;
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    const Pass layer = stack.in(i);
    Cache::DecoderLayer& kept = cache.decoder[i];
    Tensor h = decoder[i].convolution.forward(x, offsets, layer, kept.convolution);
    Tensor y = decoder[i].attention.forward(h, g, memory, layer.in("attention"), kept.attention);
    add(h, y);
    add_and_halve(x, y);
    layer.see("output", y);
    if (pass.keeps()) {
      kept.x = std::move(x);
      kept.h = std::move(h);
    }
    x = std::move(y);
  }
  cache.output_dropout = pass.drop(config_.dropout, x);
  if (pass.keeps()) {
    cache.z = std::move(z);
    cache.v = std::move(v);
  }
  return x;
}

void ConvS2S::backward(Tensor dy, const Batch& batch, const Pass& pass, const Cache& cache) {
  // Through the decoder. Each of its layers adds its part to dg, dz and dv.
  const Offsets& offsets = batch.target_input.offsets;
  const AlignmentMemory memory{cache.z, cache.v, looks_of_sentences(offsets, batch.source.offsets)};
  Tensor dg = Tensor::zeros(dy.shape());
  Tensor dz = Tensor::zeros(cache.z.shape()), dv = dz;
  dropout(cache.output_dropout, dy);
  for (std::size_t i = decoder.size(); i-- > 0;) {
    // y = √½ (x + h + c): three paths. h also asks for c.
    const Pass layer = pass.in("decoder").in(i);
    const Cache::DecoderLayer& kept = cache.decoder[i];
    halve(dy);
    layer.see("dsum", dy);
    Tensor dh = decoder[i].attention.backward(dy, kept.h, memory, layer.in("attention"),
                                              kept.attention, dg, dz, dv);
    add(dy, dh);
    layer.see("dh", dh);
    add(decoder[i].convolution.backward(dh, kept.x, offsets, layer, kept.convolution), dy);
    layer.see("dx", dy);
  }
  // g was the first layer's input, and part of every query.
  add(dy, dg);
  pass.see("dg", dg);
  embed_backward(target_embedding_used(), target_positions, std::move(dg), batch.target_input,
                 cache.target_dropout, pass.in("target"));

  // Through the encoder.
  pass.see("dv", dv);
  add(dv, dz);  // v = z + e
  pass.see("dz", dz);
  dy = std::move(dz);
  for (std::size_t i = encoder.size(); i-- > 0;) {
    // y = √½ (x + h)
    const Pass layer = pass.in("encoder").in(i);
    halve(dy);
    layer.see("dsum", dy);
    add(encoder[i].backward(dy, cache.encoder_inputs[i], batch.source.offsets, layer,
                            cache.encoder[i]),
        dy);
    layer.see("dx", dy);
  }
  add(dv, dy);
  pass.see("de", dy);
  embed_backward(source_embedding, source_positions, std::move(dy), batch.source,
                 cache.source_dropout, pass.in("source"));
}

LossSums ConvS2S::loss_and_gradients(const Batch& batch, const Pass& pass, Real loss_scale) {
  Cache cache;
  const Tensor y = forward(batch, pass.keeping(), cache);
  Tensor dy;
  const LossSums sums =
      projection.loss_and_gradients(y, target_embedding_used(), batch.target_output,
                                    config_.label_smoothing, loss_scale, pass, dy);
  backward(std::move(dy), batch, pass, cache);
  return sums;
}

LossSums ConvS2S::loss(const Batch& batch, const Pass& pass) const {
  Cache unused;
  const Tensor y = forward(batch, pass, unused);
  return projection.loss(y, target_embedding_used(), batch.target_output, config_.label_smoothing,
                         pass);
}

namespace {

// A causal convolution of width k needs the last k inputs of its layer, and attention needs nothing
// of the past: what a row keeps does not grow with its length.
struct ConvS2SState final : DecodingState {
  const ConvS2S& model;
  Tensor z, v;               // [T_source, d_model]
  Looks looks;               // of each row
  std::vector<Tensor> past;  // of each layer's convolution
  Index position = 0;        // of the token to be read next

  ConvS2SState(const ConvS2S& its_model, const PackedIds& source)
      : model(its_model), looks(looks_of_rows(source.offsets)) {
    ConvS2S::Cache unused;
    z = model.encode(source, Pass(), unused, v);
    for (const ConvS2S::DecoderLayer& layer : model.decoder) {
      past.push_back(layer.convolution.convolution.start(source.sentences()));
    }
  }

  Tensor next_logits(const std::vector<int>& tokens) override {
    ATTN_CHECK_EQ(tokens.size(), looks.size(), "tokens and rows of the decoding state");
    const AlignmentMemory memory{z, v, looks};
    Tensor g = model.target_embedding_used().forward(tokens);  // [R, d_model]
    model.target_positions.forward_at(position++, g);
    Tensor x = g;
    for (std::size_t i = 0; i < past.size(); ++i) {
      const ConvS2S::DecoderLayer& layer = model.decoder[i];
      ConvS2SAttention::Cache unused;
      const Tensor h = layer.convolution.step(x, past[i]);
      Tensor y = layer.attention.forward(h, g, memory, Pass(), unused);
      add(h, y);
      add_and_halve(x, y);
      x = std::move(y);
    }
    return model.projection.logits(x, model.target_embedding_used());
  }

  void reorder(const std::vector<Index>& rows) override {
    looks = reordered(looks, rows);
    for (Tensor& inputs : past) inputs = gathered(inputs, rows);
  }
};

}  // namespace

std::unique_ptr<DecodingState> ConvS2S::start_decoding(const PackedIds& source) const {
  return std::make_unique<ConvS2SState>(*this, source);
}

}  // namespace attn
