// Forward through one stack, backward through it in reverse, and decoding step by step.
#include "lab/language/decoder_only.h"

#include <algorithm>
#include <utility>

#include "model/embed.h"

namespace attn {

namespace {

// Sentence pairs as this model reads them.
struct Sequences {
  PackedIds x;            // x1 … xn <eos> <bos> y1 … ym
  std::vector<int> y;     // the tokens to predict
  std::vector<int> rows;  // of z, from which they are predicted
};

Sequences sequences_of(const Batch& batch, bool loss_on_all) {
  const Offsets &source_at = batch.source.offsets, &target_at = batch.target_input.offsets;
  ATTN_CHECK_EQ(source_at.size(), target_at.size(), "sentences of source and target");
  ATTN_CHECK_EQ(batch.target_output.size(), batch.target_input.ids.size(), "tokens of a target");
  Sequences s;
  for (std::size_t b = 0; b + 1 < target_at.size(); ++b) {
    const auto source = batch.source.ids.begin(), target = batch.target_input.ids.begin();
    std::vector<int> x(source + source_at[b], source + source_at[b + 1]);
    const std::size_t n = x.size(), begin = s.x.ids.size();
    x.insert(x.end(), target + target_at[b], target + target_at[b + 1]);
    s.x.append(x);
    // After each token comes the next one: <bos> after the source, what the target says after it.
    const int* const output = batch.target_output.data() + target_at[b];
    for (std::size_t t = loss_on_all ? 0 : n; t < x.size(); ++t) {
      s.y.push_back(t < n ? x[t + 1] : output[t - n]);
      s.rows.push_back(static_cast<int>(begin + t));
    }
  }
  return s;
}

// h: the rows of z from which something is predicted.
Tensor predicting_forward(Tensor z, const std::vector<int>& rows, const Pass& pass) {
  const Index count = rows.size();
  pass.see(count == z.rows() ? "h" : "z", z);
  if (count == z.rows()) return z;
  Tensor h = Tensor::uninitialised({count, z.cols()});
  Index t = 0;
  for (const int row : rows) std::copy_n(z.row(row), z.cols(), h.row(t++));
  pass.see("h", h);
  return h;
}

// From dh to dz, which is 0 in all other rows.
Tensor predicting_backward(Tensor dh, const std::vector<int>& rows, Index T, const Pass& pass) {
  if (dh.rows() == T) return dh;
  Tensor dz = Tensor::zeros({T, dh.cols()});
  Index t = 0;
  for (const int row : rows) std::copy_n(dh.row(t++), dh.cols(), dz.row(row));
  pass.see("dz", dz);
  return dz;
}

}  // namespace

DecoderOnly::DecoderOnly(const DecoderOnlyConfig& c)
    : SequenceModel(checked_facts(c)),
      embedding(c.target_vocabulary, c.d_model),
      positions(c.positions, c.max_positions, c.d_model),
      config_(c) {
  for (Index i = 0; i < c.layers; ++i) decoder.emplace_back(c);
  if (c.norm == NormPlacement::pre) decoder_norm = LayerNorm(c.d_model);
  if (!c.tie_embeddings) projection = OutputProjection(c.d_model, c.target_vocabulary);
}

void DecoderOnly::visit_parameters(const ParameterVisitor& visitor) {
  embedding.visit("embedding", visitor);
  projection.visit("projection", visitor);
  positions.visit("positions", visitor);
  for (std::size_t i = 0; i < decoder.size(); ++i) decoder[i].visit(text("decoder.", i), visitor);
  if (config_.norm == NormPlacement::pre) decoder_norm.visit("decoder.norm", visitor);
}

Tensor DecoderOnly::forward(const PackedIds& ids, const Pass& pass, Cache& cache) const {
  pass.see("x", ids.ids);
  Tensor x = embed(embedding, positions, ids, config_.dropout, pass.in("input"), cache.mask);
  pass.see("e", x);

  cache.pattern = sentence_by_sentence(ids.offsets, ids.offsets, Mask::causal);
  cache.decoder.resize(pass.keeps() ? decoder.size() : 1);
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    x = decoder[i].forward(std::move(x), cache.pattern, pass.in("decoder").in(i),
                           cache.decoder[pass.keeps() ? i : 0]);
  }
  return normed(std::move(x), pass, cache.decoder_norm);
}

Tensor DecoderOnly::normed(Tensor x, const Pass& pass, LayerNorm::Cache& cache) const {
  if (config_.norm == NormPlacement::post) return x;
  return decoder_norm.forward(std::move(x), pass.in("decoder").in("norm"), cache);
}

void DecoderOnly::backward(Tensor dz, const PackedIds& ids, const Pass& pass, const Cache& cache) {
  Tensor dx = std::move(dz);
  if (config_.norm == NormPlacement::pre) dx = decoder_norm.backward(dx, cache.decoder_norm);
  for (std::size_t i = decoder.size(); i-- > 0;) {
    dx = decoder[i].backward(dx, cache.pattern, pass.in("decoder").in(i), cache.decoder[i]);
  }
  pass.see("de", dx);
  embed_backward(embedding, positions, std::move(dx), ids, cache.mask, pass.in("input"));
}

LossSums DecoderOnly::loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) {
  const Sequences s = sequences_of(batch, config_.loss_on_all);
  Cache cache;
  Tensor z = forward(s.x, pass.keeping(), cache), dh;
  const Tensor h = predicting_forward(std::move(z), s.rows, pass);
  const LossSums sums =
      projection.loss_and_gradients(h, embedding, s.y, config_.label_smoothing, scale, pass, dh);
  backward(predicting_backward(std::move(dh), s.rows, s.x.tokens(), pass), s.x, pass, cache);
  return sums;
}

LossSums DecoderOnly::loss(const Batch& batch, const Pass& pass) const {
  const Sequences s = sequences_of(batch, config_.loss_on_all);
  Cache unused;
  const Tensor h = predicting_forward(forward(s.x, pass, unused), s.rows, pass);
  return projection.loss(h, embedding, s.y, config_.label_smoothing, pass);
}

Tensor DecoderOnly::logits(const Batch& batch) const {
  const Sequences s = sequences_of(batch, config_.loss_on_all);
  Cache unused;
  return projection.logits(predicting_forward(forward(s.x, {}, unused), s.rows, {}), embedding);
}

Tensor DecoderOnly::read(const PackedIds& tokens, KeyValueCache& past) const {
  AttentionPattern pattern = past.read(tokens.offsets);
  Tensor x = embedding.forward(tokens.ids);  // [T, d_model]
  positions.forward_at(pattern.query_positions, x);
  EncoderLayer::Cache unused;
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    pattern.past = &past.layers[i];
    x = decoder[i].forward(std::move(x), pattern, Pass(), unused);
  }
  return x;
}

namespace {

struct DecoderOnlyState final : DecodingState {
  const DecoderOnly& model;
  KeyValueCache past;

  DecoderOnlyState(const DecoderOnly& its_model, const PackedIds& source)
      : model(its_model), past(source.sentences(), model.config()) {
    model.read(source, past);
  }

  Tensor next_logits(const std::vector<int>& tokens) override {
    PackedIds one_each;
    for (const int token : tokens) one_each.append({token});
    LayerNorm::Cache unused;
    const Tensor h = model.normed(model.read(one_each, past), Pass(), unused);
    return model.projection.logits(h, model.embedding);
  }

  void reorder(const std::vector<Index>& rows) override { past.reorder(rows); }
};

}  // namespace

std::unique_ptr<DecodingState> DecoderOnly::start_decoding(const PackedIds& source) const {
  return std::make_unique<DecoderOnlyState>(*this, source);
}

}  // namespace attn
