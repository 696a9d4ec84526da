// Decoding step by step: one position through the decoder, which keeps what it has read. The
// encoder's output is projected to keys and values once.
#include <utility>

#include "model/key_value_cache.h"
#include "model/transformer.h"

namespace attn {

namespace {

struct TransformerState final : DecodingState {
  const Transformer& model;
  KeyValueCache past;
  Offsets source_offsets;         // [B + 1]
  std::vector<KeyValues> source;  // one per layer: [T_source, h·d_k] and [T_source, h·d_v]
  std::vector<Index> sentences;   // [R]: which source sentence each row translates

  // z [T_source, d_model]: the encoder's output.
  TransformerState(const Transformer& its_model, const Offsets& offsets, const Tensor& z)
      : model(its_model), past(offsets.size() - 1, model.config()), source_offsets(offsets) {
    const std::vector<Index> positions = positions_in(offsets);
    for (const DecoderLayer& layer : model.decoder) {
      source.push_back(layer.cross_attention.project(z, positions));
    }
    for (Index b = 0; b < past.rows(); ++b) sentences.push_back(b);
  }

  // Adjacent rows that translate one sentence attend to it together.
  AttentionPattern cross_pattern() const {
    AttentionPattern pattern;
    for (Index r = 0, end = 0; r < past.rows(); r = end) {
      while (end < past.rows() && sentences[end] == sentences[r]) ++end;
      const Index b = sentences[r];
      pattern.sentences.push_back({{r, end}, {source_offsets[b], source_offsets[b + 1]}});
    }
    return pattern;
  }

  Tensor next_logits(const std::vector<int>& tokens) override {
    ATTN_CHECK_EQ(tokens.size(), sentences.size(), "tokens and rows of the decoding state");
    AttentionPattern self = past.read_one(), cross = cross_pattern();
    cross.query_positions = self.query_positions;

    // One position through the decoder, and out.
    Tensor x = model.target_embedding_used().forward(tokens);  // [R, d_model]
    model.target_positions.forward_at(self.query_positions, x);
    const Tensor no_z = Tensor::zeros({0, x.cols()});  // all of it has been projected
    DecoderLayer::Cache unused;
    for (std::size_t i = 0; i < model.decoder.size(); ++i) {
      self.past = &past.layers[i];
      cross.past = &source[i];
      x = model.decoder[i].forward(std::move(x), {no_z, self, cross}, Pass(), unused);
    }
    if (model.config().norm == NormPlacement::pre) {
      LayerNorm::Cache unused_norm;
      x = model.decoder_norm.forward(std::move(x), {}, unused_norm);
    }
    return model.projection.logits(x, model.target_embedding_used());
  }

  void reorder(const std::vector<Index>& rows) override {
    past.reorder(rows);
    std::vector<Index> moved;
    for (const Index old : rows) moved.push_back(sentences[old]);
    sentences = std::move(moved);
  }
};

}  // namespace

std::unique_ptr<DecodingState> Transformer::start_decoding(const PackedIds& source) const {
  Cache unused;
  return std::make_unique<TransformerState>(*this, source.offsets, encode(source, Pass(), unused));
}

}  // namespace attn
