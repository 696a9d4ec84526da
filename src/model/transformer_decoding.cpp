// Decoding step by step. The keys and values of earlier positions do not change when a token is
// added (the mask is causal), so they are kept, and a step computes one position only. The
// encoder's output is projected to keys and values once.
#include <algorithm>
#include <utility>

#include "model/transformer.h"

namespace attn {
inline namespace ATTN_PRECISION {

namespace {

struct TransformerState final : DecodingState {
  Index position = 0;                      // of the token to be read next
  std::vector<Index> sentences;            // [R]: which source sentence each row translates
  Offsets source_offsets;                  // [B + 1]
  std::vector<Tensor> source_K, source_V;  // one a layer: [T_source, h·d_k], [T_source, h·d_v]
  std::vector<DecoderLayer::Keys> keys;    // one a layer
};

constexpr Index kFirstCapacity = 16;

// x [R, capacity, width] → [rows, capacity', width] with row r from rows[r], of which `used`
// positions.
Tensor gather(const Tensor& x, const std::vector<Index>& rows, Index used, Index capacity) {
  const Index width = x.cols(), old_capacity = x.shape().size[1];
  Tensor result = Tensor::uninitialised({static_cast<Index>(rows.size()), capacity, width});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(x.row(rows[r] * old_capacity), used * width,
                result.row(static_cast<Index>(r) * capacity));
  }
  return result;
}

// Views of each row's source keys and values; made again when rows or tensors move.
void point_to_sources(TransformerState& state) {
  for (std::size_t i = 0; i < state.keys.size(); ++i) {
    state.keys[i].source.clear();
    for (const Index sentence : state.sentences) {
      const Index begin = state.source_offsets[static_cast<std::size_t>(sentence)];
      const Index end = state.source_offsets[static_cast<std::size_t>(sentence) + 1];
      state.keys[i].source.push_back({rows_of(std::as_const(state.source_K[i]), begin, end),
                                      rows_of(std::as_const(state.source_V[i]), begin, end)});
    }
  }
}

}  // namespace

std::unique_ptr<DecodingState> Transformer::start_decoding(const PackedIds& source) const {
  DropoutMasks off;
  Encoder::Cache cache;
  Tensor e = source_embedding.forward(source.ids);
  source_positions.forward(e, source.offsets);
  const Tensor z = encoder.forward(std::move(e), source.offsets, off, cache);

  auto state = std::make_unique<TransformerState>();
  state->source_offsets = source.offsets;
  for (Index b = 0; b < source.sentences(); ++b) state->sentences.push_back(b);
  for (const DecoderLayer& layer : decoder.layers) {
    state->source_K.push_back(layer.cross_attention.key.forward(z));
    state->source_V.push_back(layer.cross_attention.value.forward(z));
    const MultiHeadAttention& self = layer.self_attention;
    state->keys.push_back(
        {Tensor::uninitialised({source.sentences(), kFirstCapacity, self.heads * self.d_k}),
         Tensor::uninitialised({source.sentences(), kFirstCapacity, self.heads * self.d_v}),
         {}});
  }
  point_to_sources(*state);
  return state;
}

Tensor Transformer::next_logits(DecodingState& base, const std::vector<int>& tokens) const {
  auto& state = static_cast<TransformerState&>(base);
  const Index R = static_cast<Index>(tokens.size());
  ATTN_CHECK_EQ(tokens.size(), state.sentences.size(), "tokens and rows of the decoding state");

  // Room for one more position.
  const Index capacity = state.keys[0].K.shape().size[1];
  if (state.position == capacity) {
    std::vector<Index> all(tokens.size());
    for (Index r = 0; r < R; ++r) all[static_cast<std::size_t>(r)] = r;
    for (DecoderLayer::Keys& keys : state.keys) {
      keys.K = gather(keys.K, all, capacity, 2 * capacity);
      keys.V = gather(keys.V, all, capacity, 2 * capacity);
    }
  }

  // One position through the decoder, and out.
  Tensor g = target_embedding_used().forward(tokens);  // [R, d_model]
  target_positions.forward_at(state.position, g);
  const Tensor h = decoder.step(std::move(g), state.position, state.keys);
  Tensor logits = Tensor::uninitialised({R, config_.target_vocabulary});
  matmul(h, output_matrix(), logits);
  ++state.position;
  return logits;
}

void Transformer::reorder(DecodingState& base, const std::vector<Index>& rows) const {
  auto& state = static_cast<TransformerState&>(base);
  std::vector<Index> sentences;
  for (const Index r : rows) {
    ATTN_CHECK(r >= 0 && r < static_cast<Index>(state.sentences.size()), "no row ", r,
               " in the decoding state");
    sentences.push_back(state.sentences[static_cast<std::size_t>(r)]);
  }
  state.sentences = std::move(sentences);
  for (DecoderLayer::Keys& keys : state.keys) {
    const Index capacity = keys.K.shape().size[1];
    keys.K = gather(keys.K, rows, state.position, capacity);
    keys.V = gather(keys.V, rows, state.position, capacity);
  }
  point_to_sources(state);
}

}  // namespace ATTN_PRECISION
}  // namespace attn
