// Decoding step by step: a causal convolution of width k needs the last k inputs of its layer, and
// attention needs nothing of the past. So what a row keeps does not grow with its length.
#include <utility>

#include "lab/predecessors/convs2s.h"
#include "lab/predecessors/time_steps.h"

namespace attn {

namespace {

struct ConvS2SState final : DecodingState {
  Index position = 0;        // of the token to be read next
  Looks looks;               // of each row
  Tensor z, v;               // [T_source, d_model]
  std::vector<Tensor> past;  // of each layer's convolution
};

}  // namespace

std::unique_ptr<DecodingState> ConvS2S::start_decoding(const PackedIds& source) const {
  auto state = std::make_unique<ConvS2SState>();
  Cache unused;
  state->z = encode(source, Pass(), unused, state->v);
  state->looks = looks_of_rows(source.offsets);
  for (const DecoderLayer& layer : decoder) {
    state->past.push_back(layer.convolution.convolution.start(source.sentences()));
  }
  return state;
}

Tensor ConvS2S::next_logits(DecodingState& base, const std::vector<int>& tokens) const {
  auto& state = static_cast<ConvS2SState&>(base);
  ATTN_CHECK_EQ(tokens.size(), state.looks.size(), "tokens and rows of the decoding state");
  Tensor g = target_embedding.forward(tokens);  // [R, d_model]
  target_positions.forward_at(state.position, g);
  Tensor x = g;
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    ConvS2SAttention::Cache unused;
    const Tensor h = decoder[i].convolution.step(x, state.past[i]);
    Tensor y = decoder[i].attention.forward(h, g, state.looks, {state.z, state.v}, Pass(), unused);
    add(h, y);
    add_and_halve(x, y);
    x = std::move(y);
  }
  ++state.position;
  return projection.logits(x, target_embedding);
}

void ConvS2S::reorder(DecodingState& base, const std::vector<Index>& rows) const {
  auto& state = static_cast<ConvS2SState&>(base);
  state.looks = reordered(state.looks, rows);
  for (Tensor& past : state.past) past = gathered(past, rows);
}

}  // namespace attn
