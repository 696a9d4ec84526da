// Decoding step by step: one position through the decoder, which keeps what it has read. The
// encoder's output is projected to keys and values once.
#include <utility>

#include "model/embed.h"
#include "model/transformer.h"

namespace attn {

namespace {

struct TransformerState final : DecodingState {
  KeyValueCache past;
  std::vector<Index> sentences;            // [R]: which source sentence each row translates
  Offsets source_offsets;                  // [B + 1]
  std::vector<Tensor> source_K, source_V;  // one per layer: [T_source, h·d_k], [T_source, h·d_v]

  TransformerState(Index sentences_, const TransformerConfig& config)
      : past(Offsets(static_cast<std::size_t>(sentences_) + 1), config) {}
};

// For each run of adjacent rows that translate one sentence, that sentence's source keys and values
// in layer i.
std::vector<MultiHeadAttention::Memory> sources_in(const TransformerState& state, std::size_t i,
                                                   const std::vector<Index>& positions) {
  std::vector<MultiHeadAttention::Memory> sources;
  for (std::size_t r = 0; r < state.sentences.size(); ++r) {
    if (r > 0 && state.sentences[r] == state.sentences[r - 1]) {
      ++sources.back().rows;
      continue;
    }
    const std::size_t b = static_cast<std::size_t>(state.sentences[r]);
    const Index begin = state.source_offsets[b], end = state.source_offsets[b + 1];
    sources.push_back({1, rows_of(state.source_K[i], begin, end),
                       rows_of(state.source_V[i], begin, end), positions[r]});
  }
  return sources;
}

}  // namespace

std::unique_ptr<DecodingState> Transformer::start_decoding(const PackedIds& source) const {
  DropoutMask no_mask;
  Encoder::Cache unused;
  Tensor e = embed(source_embedding, source_positions, source, 0, Pass(), no_mask);
  const Tensor z = encoder.forward(std::move(e), source.offsets, Pass(), unused);

  auto state = std::make_unique<TransformerState>(source.sentences(), config_);
  state->source_offsets = source.offsets;
  for (Index b = 0; b < source.sentences(); ++b) state->sentences.push_back(b);
  for (const DecoderLayer& layer : decoder.layers) {
    state->source_K.push_back(layer.cross_attention.keys(z, positions_in(source.offsets)));
    state->source_V.push_back(layer.cross_attention.value.forward(z));
  }
  return state;
}

Tensor Transformer::next_logits(DecodingState& base, const std::vector<int>& tokens) const {
  auto& state = static_cast<TransformerState&>(base);
  ATTN_CHECK_EQ(tokens.size(), state.sentences.size(), "tokens and rows of the decoding state");

  // One position through the decoder, and out.
  Tensor x = target_embedding_used().forward(tokens);    // [R, d_model]
  const std::vector<Index> at = state.past.positions();  // all the same
  target_positions.forward_at(at, x);
  for (std::size_t i = 0; i < decoder.layers.size(); ++i) {
    x = decoder.layers[i].step(x, state.past, i, sources_in(state, i, at));
  }
  state.past.advance();
  LayerNorm::Cache unused;
  return projection.logits(decoder.normed(std::move(x), Pass(), unused), source_embedding);
}

void Transformer::reorder(DecodingState& base, const std::vector<Index>& rows) const {
  auto& state = static_cast<TransformerState&>(base);
  state.past.reorder(rows);
  std::vector<Index> sentences;
  for (const Index old : rows) sentences.push_back(state.sentences[static_cast<std::size_t>(old)]);
  state.sentences = std::move(sentences);
}

}  // namespace attn
