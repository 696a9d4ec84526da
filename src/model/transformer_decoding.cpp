// Decoding step by step: one position through the decoder, which keeps what it has read. The
// encoder's output is projected to keys and values once.
#include <utility>

#include "model/key_value_cache.h"
#include "model/transformer.h"

namespace attn {

namespace {

struct TransformerState final : DecodingState {
  KeyValueCache past;
  std::vector<Index> sentences;   // [R]: which source sentence each row translates
  Offsets source_offsets;         // [B + 1]
  std::vector<KeyValues> source;  // one per layer: [T_source, h·d_k] and [T_source, h·d_v]

  TransformerState(Index rows, const TransformerConfig& config) : past(rows, config) {}
};

// Adjacent rows that translate one sentence attend to it together.
AttentionPattern cross_pattern(const TransformerState& state) {
  AttentionPattern pattern;
  const std::vector<Index>& sentences = state.sentences;
  for (std::size_t r = 0, end = 0; r < sentences.size(); r = end) {
    while (end < sentences.size() && sentences[end] == sentences[r]) ++end;
    const auto b = static_cast<std::size_t>(sentences[r]);
    const Index begin = state.source_offsets[b], n = state.source_offsets[b + 1] - begin;
    pattern.add(static_cast<Index>(r), static_cast<Index>(end - r), begin, n);
  }
  return pattern;
}

}  // namespace

std::unique_ptr<DecodingState> Transformer::start_decoding(const PackedIds& source) const {
  auto state = std::make_unique<TransformerState>(source.sentences(), config_);
  Cache unused;
  const Tensor z = encode(source, Pass(), unused);
  for (const DecoderLayer& layer : decoder) {
    state->source.push_back(layer.cross_attention.project(z, positions_in(source.offsets)));
  }
  state->source_offsets = source.offsets;
  for (Index b = 0; b < source.sentences(); ++b) state->sentences.push_back(b);
  return state;
}

Tensor Transformer::next_logits(DecodingState& base, const std::vector<int>& tokens) const {
  auto& state = static_cast<TransformerState&>(base);
  ATTN_CHECK_EQ(tokens.size(), state.sentences.size(), "tokens and rows of the decoding state");
  AttentionPattern self = state.past.read_one(), cross = cross_pattern(state);
  cross.query_positions = self.query_positions;

  // One position through the decoder, and out.
  Tensor x = target_embedding_used().forward(tokens);  // [R, d_model]
  target_positions.forward_at(self.query_positions, x);
  const Tensor no_z = Tensor::zeros({0, config_.d_model});  // all of it has been projected
  DecoderLayer::Cache unused;
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    self.past = &state.past.layers[i];
    cross.past = &state.source[i];
    x = decoder[i].forward(std::move(x), {no_z, self, cross}, Pass(), unused);
  }
  LayerNorm::Cache unused_norm;
  if (config_.norm == NormPlacement::pre) x = decoder_norm.forward(std::move(x), {}, unused_norm);
  return projection.logits(x, source_embedding);
}

void Transformer::reorder(DecodingState& base, const std::vector<Index>& rows) const {
  auto& state = static_cast<TransformerState&>(base);
  state.past.reorder(rows);
  std::vector<Index> sentences;
  for (const Index old : rows) sentences.push_back(state.sentences[static_cast<std::size_t>(old)]);
  state.sentences = std::move(sentences);
}

}  // namespace attn
