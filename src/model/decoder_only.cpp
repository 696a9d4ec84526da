// Forward through one stack, backward through it in reverse, and decoding step by step.
#include "model/decoder_only.h"

#include <algorithm>
#include <utility>

#include "model/checked_config.h"
#include "model/embed.h"

namespace attn {

namespace {

// Sentence pairs as this model reads them.
struct Sequences {
  PackedIds x;              // x1 … xn <eos> <bos> y1 … ym
  std::vector<int> y;       // the tokens to predict
  std::vector<Index> rows;  // of z, from which they are predicted
};

std::vector<int> part(const std::vector<int>& ids, const Offsets& offsets, std::size_t b) {
  return {ids.begin() + offsets[b], ids.begin() + offsets[b + 1]};
}

Sequences sequences_of(const Batch& batch, bool loss_on_all) {
  const Offsets &source_offsets = batch.source.offsets, &offsets = batch.target_input.offsets;
  ATTN_CHECK_EQ(source_offsets.size(), offsets.size(), "sentences of source and target");
  Sequences s;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const std::vector<int> source = part(batch.source.ids, source_offsets, b);
    const std::vector<int> target = part(batch.target_input.ids, offsets, b);
    std::vector<int> both = source;
    both.insert(both.end(), target.begin(), target.end());
    s.x.append(both);
    const Index scored = static_cast<Index>(loss_on_all ? both.size() : target.size());
    for (Index t = s.x.tokens() - scored; t < s.x.tokens(); ++t) s.rows.push_back(t);

    // After each token of the source comes the next one and, at its end, <bos>.
    if (loss_on_all && !source.empty()) {
      s.y.insert(s.y.end(), both.begin() + 1,
                 both.begin() + source_offsets[b + 1] - source_offsets[b] + 1);
    }
    if (batch.target_output.empty()) continue;  // nothing is to be predicted, only read
    const std::vector<int> output = part(batch.target_output, offsets, b);
    s.y.insert(s.y.end(), output.begin(), output.end());
  }
  return s;
}

// h: the rows of z from which something is predicted.
Tensor predicting(Tensor z, const std::vector<Index>& rows, const Pass& pass) {
  if (static_cast<Index>(rows.size()) == z.rows()) {
    pass.see("h", z);
    return z;
  }
  pass.see("z", z);
  Tensor h = Tensor::uninitialised({static_cast<Index>(rows.size()), z.cols()});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(z.row(rows[i]), z.cols(), h.row(static_cast<Index>(i)));
  }
  pass.see("h", h);
  return h;
}

// From dh to dz, which is 0 in all other rows.
Tensor predicting_backward(Tensor dh, const std::vector<Index>& rows, Index T, const Pass& pass) {
  if (dh.rows() == T) return dh;
  Tensor dz = Tensor::zeros({T, dh.cols()});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(dh.row(static_cast<Index>(i)), dh.cols(), dz.row(rows[i]));
  }
  pass.see("dz", dz);
  return dz;
}

}  // namespace

DecoderOnly::DecoderOnly(const DecoderOnlyConfig& c)
    : embedding(checked(c).target_vocabulary, c.d_model),
      positions(c.positions, c.max_positions, c.d_model),
      decoder(c, Mask::causal),
      config_(c) {
  if (!c.tie_embeddings) projection = OutputProjection(c.d_model, c.target_vocabulary);
}

Settings DecoderOnly::settings() const {
  Settings settings = to_settings(config_);
  settings["architecture"] = "decoder";
  return settings;
}

void DecoderOnly::visit_parameters(const ParameterVisitor& visitor) {
  embedding.visit("embedding", visitor);
  projection.visit("projection", visitor);
  positions.visit("positions", visitor);
  decoder.visit("decoder", visitor);
}

Tensor DecoderOnly::forward(const PackedIds& x, const Pass& pass, Cache& cache) const {
  pass.see("x", x.ids);
  Tensor e = embed(embedding, positions, x, config_.dropout, pass.in("input"), cache.mask);
  pass.see("e", e);
  return decoder.forward(std::move(e), x.offsets, pass.in("decoder"), cache.decoder);
}

void DecoderOnly::backward(Tensor dz, const PackedIds& x, const Pass& pass, const Cache& cache) {
  Tensor de = decoder.backward(std::move(dz), x.offsets, pass.in("decoder"), cache.decoder);
  pass.see("de", de);
  embed_backward(embedding, positions, std::move(de), x, cache.mask, pass.in("input"));
}

LossSums DecoderOnly::loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) {
  const Sequences s = sequences_of(batch, config_.loss_on_all);
  Cache cache;
  Tensor z = forward(s.x, pass.keeping(), cache), dh;
  const Tensor h = predicting(std::move(z), s.rows, pass);
  const LossSums sums =
      projection.loss_and_gradients(h, embedding, s.y, config_.label_smoothing, scale, pass, dh);
  backward(predicting_backward(std::move(dh), s.rows, s.x.tokens(), pass.back()), s.x, pass.back(),
           cache);
  return sums;
}

LossSums DecoderOnly::loss(const Batch& batch, const Pass& pass) const {
  const Sequences s = sequences_of(batch, config_.loss_on_all);
  Cache unused;
  const Tensor h = predicting(forward(s.x, pass, unused), s.rows, pass);
  return projection.loss(h, embedding, s.y, config_.label_smoothing, pass);
}

Tensor DecoderOnly::logits(const Batch& batch) const {
  const Sequences s = sequences_of(batch, config_.loss_on_all);
  Cache unused;
  return projection.logits(predicting(forward(s.x, {}, unused), s.rows, {}), embedding);
}

Index DecoderOnly::predicted_tokens(const Batch& batch) const {
  return batch.target_input.tokens() + (config_.loss_on_all ? batch.source.tokens() : 0);
}

namespace {

struct DecoderOnlyState final : DecodingState {
  KeyValueCache past;
  explicit DecoderOnlyState(KeyValueCache read) : past(std::move(read)) {}
};

}  // namespace

std::unique_ptr<DecodingState> DecoderOnly::start_decoding(const PackedIds& source) const {
  // The whole source at once. Of each layer, only the keys and values are kept.
  KeyValueCache past(source.offsets, config_);
  DropoutMask no_mask;
  Tensor x = embed(embedding, positions, source, 0, Pass(), no_mask);
  for (std::size_t i = 0; i < decoder.layers.size(); ++i) {
    EncoderLayer::Cache cache;
    x = decoder.layers[i].forward(x, source.offsets, Pass().keeping(), cache);
    past.tell(i, cache.self_attention.K, cache.self_attention.V, source.offsets);
  }
  return std::make_unique<DecoderOnlyState>(std::move(past));
}

Tensor DecoderOnly::next_logits(DecodingState& base, const std::vector<int>& tokens) const {
  KeyValueCache& past = static_cast<DecoderOnlyState&>(base).past;
  ATTN_CHECK_EQ(static_cast<Index>(tokens.size()), past.rows(),
                "tokens and rows of the decoding state");
  Tensor x = embedding.forward(tokens);  // [R, d_model]
  positions.forward_at(past.positions(), x);
  for (std::size_t i = 0; i < decoder.layers.size(); ++i) {
    x = decoder.layers[i].step(x, past, i);
  }
  past.advance();
  LayerNorm::Cache unused;
  return projection.logits(decoder.normed(std::move(x), Pass(), unused), embedding);
}

void DecoderOnly::reorder(DecodingState& base, const std::vector<Index>& rows) const {
  static_cast<DecoderOnlyState&>(base).past.reorder(rows);
}

}  // namespace attn
