// Decoding step by step: a causal convolution of width k needs the last k inputs of its layer, and
// attention needs nothing of the past. So what a row keeps does not grow with its length.
#include <utility>

#include "lab/predecessors/convs2s.h"

namespace attn {

namespace {

struct ConvS2SState final : DecodingState {
  Index position = 0;            // of the token to be read next
  std::vector<Index> sentences;  // [R]: which source sentence each row translates
  Offsets source_offsets;        // [B + 1]
  Tensor z, v;                   // [T_source, d_model]
  std::vector<Recent> past;      // one per layer
};

// Each row by itself looks at its source sentence.
std::vector<AttendingRows> attending_rows(const ConvS2SState& state) {
  std::vector<AttendingRows> rows;
  Index weights = 0;
  for (const Index sentence : state.sentences) {
    const auto b = static_cast<std::size_t>(sentence);
    const Index r = static_cast<Index>(rows.size());
    rows.push_back({r, r + 1, state.source_offsets[b], state.source_offsets[b + 1], weights});
    weights += rows.back().source_length();
  }
  return rows;
}

}  // namespace

std::unique_ptr<DecodingState> ConvS2S::start_decoding(const PackedIds& source) const {
  auto state = std::make_unique<ConvS2SState>();
  Cache unused;
  state->z = encode(source, Pass(), unused, state->v);
  state->source_offsets = source.offsets;
  for (Index b = 0; b < source.sentences(); ++b) state->sentences.push_back(b);
  for (const DecoderLayer& layer : decoder) {
    state->past.push_back(layer.convolution.start(source.sentences()));
  }
  return state;
}

Tensor ConvS2S::next_logits(DecodingState& base, const std::vector<int>& tokens) const {
  auto& state = static_cast<ConvS2SState&>(base);
  ATTN_CHECK_EQ(tokens.size(), state.sentences.size(), "tokens and rows of the decoding state");
  const auto rows = attending_rows(state);
  Tensor g = target_embedding.forward(tokens);  // [R, d_model]
  target_positions.forward_at(state.position, g);
  Tensor x = g;
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    ConvS2SAttention::Cache unused;
    const Tensor h = decoder[i].convolution.step(x, state.past[i]);
    Tensor y = decoder[i].attention.forward(h, g, rows, {state.z, state.v}, Pass(), unused);
    add(h, y);
    add_and_halve(x, y);
    x = std::move(y);
  }
  ++state.position;
  return projection.logits(x, target_embedding);
}

void ConvS2S::reorder(DecodingState& base, const std::vector<Index>& rows) const {
  auto& state = static_cast<ConvS2SState&>(base);
  for (Recent& past : state.past) past.reorder(rows);
  std::vector<Index> sentences;
  for (const Index r : rows) sentences.push_back(state.sentences[static_cast<std::size_t>(r)]);
  state.sentences = std::move(sentences);
}

}  // namespace attn
