// Decoding step by step. The keys and values of earlier positions do not change when a token is
// added (the mask is causal), so they are kept, and a step computes one position only. The
// encoder's output is projected to keys and values once.
#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "model/embed.h"
#include "model/transformer.h"

namespace attn {

namespace {

struct TransformerState final : DecodingState {
  Index position = 0;                      // of the token to be read next
  std::vector<Index> sentences;            // [R]: which source sentence each row translates
  Offsets source_offsets;                  // [B + 1]
  std::vector<Tensor> source_K, source_V;  // one per layer: [T_source, h·d_k], [T_source, h·d_v]
  std::vector<DecoderLayer::Keys> keys;    // one per layer

  // Each row keeps its keys and values in a slot of its own. writers[s][t] is the row that wrote
  // position t of slot s: where two slots have the same writer, they hold the same numbers. Slots
  // of rows that are gone are free.
  std::vector<Index> slots;                 // [R]
  std::vector<std::vector<Index>> writers;  // [S], each [position] or, in a free slot, fewer
};

constexpr Index kFirstCapacity = 16;

// x [S, capacity, width] → [slots, capacity', width], with the positions that are taken.
Tensor enlarged(const Tensor& x, Index slots, Index capacity, Index taken) {
  const Index old_slots = x.shape().size[0], old_capacity = x.shape().size[1], width = x.cols();
  Tensor result = Tensor::uninitialised({slots, capacity, width});
  parallel_for(old_slots, [&](Index s) {
    std::copy_n(x.row(s * old_capacity), taken * width, result.row(s * capacity));
  });
  return result;
}

void enlarge(TransformerState& state, Index slots, Index capacity) {
  for (DecoderLayer::Keys& keys : state.keys) {
    keys.K = enlarged(keys.K, slots, capacity, state.position);
    keys.V = enlarged(keys.V, slots, capacity, state.position);
  }
  state.writers.resize(static_cast<std::size_t>(slots));
}

// Makes slot `to` equal to slot `from`. Rows of one sentence share most of their past, so only the
// positions that differ are copied.
void copy_slot(TransformerState& state, Index from, Index to) {
  const std::vector<Index>& source = state.writers[static_cast<std::size_t>(from)];
  std::vector<Index>& target = state.writers[static_cast<std::size_t>(to)];
  const Index capacity = state.keys[0].K.shape().size[1];
  for (std::size_t t = 0; t < source.size(); ++t) {
    if (t < target.size() && source[t] == target[t]) continue;
    const Index old = from * capacity + static_cast<Index>(t);
    const Index copy = to * capacity + static_cast<Index>(t);
    for (DecoderLayer::Keys& keys : state.keys) {
      std::copy_n(keys.K.row(old), keys.K.cols(), keys.K.row(copy));
      std::copy_n(keys.V.row(old), keys.V.cols(), keys.V.row(copy));
    }
  }
  target = source;
}

// Points each run of adjacent rows that translate one sentence to that sentence's source keys and
// values.
void point_to_sources(TransformerState& state) {
  for (std::size_t i = 0; i < state.keys.size(); ++i) {
    std::vector<MultiHeadAttention::Memory>& source = state.keys[i].source;
    source.clear();
    for (std::size_t r = 0; r < state.sentences.size(); ++r) {
      if (r > 0 && state.sentences[r] == state.sentences[r - 1]) {
        ++source.back().rows;
        continue;
      }
      const std::size_t b = static_cast<std::size_t>(state.sentences[r]);
      const Index begin = state.source_offsets[b], end = state.source_offsets[b + 1];
      source.push_back({1, rows_of(std::as_const(state.source_K[i]), begin, end),
                        rows_of(std::as_const(state.source_V[i]), begin, end)});
    }
  }
}

}  // namespace

std::unique_ptr<DecodingState> Transformer::start_decoding(const PackedIds& source) const {
  DropoutMask no_mask;
  Encoder::Cache unused;
  Tensor e = embed(source_embedding, source_positions, source, 0, Pass(), no_mask);
  const Tensor z = encoder.forward(std::move(e), source.offsets, Pass(), unused);

  auto state = std::make_unique<TransformerState>();
  state->source_offsets = source.offsets;
  for (Index b = 0; b < source.sentences(); ++b) {
    state->sentences.push_back(b);
    state->slots.push_back(b);
  }
  state->writers.resize(state->slots.size());
  for (const DecoderLayer& layer : decoder.layers) {
    state->source_K.push_back(layer.cross_attention.keys(z, positions_of(source.offsets)));
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
    enlarge(state, static_cast<Index>(state.writers.size()), 2 * capacity);
  }

  // One position through the decoder, and out.
  Tensor x = target_embedding_used().forward(tokens);  // [R, d_model]
  target_positions.forward_at(state.position, x);
  for (std::size_t i = 0; i < decoder.layers.size(); ++i) {
    for (MultiHeadAttention::Memory& source : state.keys[i].source)
      source.position = state.position;
    x = decoder.layers[i].step(x, state.position, state.slots, state.keys[i]);
  }
  LayerNorm::Cache unused;
  const Tensor h = decoder.has_final_norm ? decoder.final_norm.forward(std::move(x), Pass(), unused)
                                          : std::move(x);
  Tensor logits = projection.logits(h, source_embedding);

  ++state.position;
  for (Index r = 0; r < R; ++r) {
    const Index slot = state.slots[static_cast<std::size_t>(r)];
    state.writers[static_cast<std::size_t>(slot)].push_back(r);
  }
  return logits;
}

void Transformer::reorder(DecodingState& base, const std::vector<Index>& rows) const {
  auto& state = static_cast<TransformerState&>(base);
  for (const Index r : rows) {
    ATTN_CHECK(r >= 0 && r < static_cast<Index>(state.sentences.size()), "no row ", r,
               " in the decoding state");
  }
  if (rows.size() > state.writers.size()) {
    enlarge(state, static_cast<Index>(rows.size()), state.keys[0].K.shape().size[1]);
  }

  // The first new row that continues an old one stays in its slot. The others copy it to slots that
  // are free, which nobody copies from.
  std::vector<Index> sentences, slots;
  std::vector<bool> taken(state.writers.size());
  constexpr Index kNone = -1;
  for (const Index old : rows) {
    const Index slot = state.slots[static_cast<std::size_t>(old)];
    sentences.push_back(state.sentences[static_cast<std::size_t>(old)]);
    slots.push_back(taken[static_cast<std::size_t>(slot)] ? kNone : slot);
    taken[static_cast<std::size_t>(slot)] = true;
  }
  std::vector<std::pair<Index, Index>> copies;
  std::size_t free = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (slots[r] != kNone) continue;
    while (taken[free]) ++free;
    taken[free] = true;
    slots[r] = static_cast<Index>(free);
    copies.emplace_back(state.slots[static_cast<std::size_t>(rows[r])], slots[r]);
  }
  parallel_for(static_cast<Index>(copies.size()), [&](Index i) {
    const auto& [from, to] = copies[static_cast<std::size_t>(i)];
    copy_slot(state, from, to);
  });
  state.sentences = std::move(sentences);
  state.slots = std::move(slots);
  point_to_sources(state);
}

}  // namespace attn
