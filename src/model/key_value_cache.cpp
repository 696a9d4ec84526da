// Rows are hypotheses: after each token some are dropped, and others continue twice.
#include "model/key_value_cache.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/parallel.h"

namespace attn {

KeyValueCache::KeyValueCache(const Offsets& offsets, const TransformerConfig& c) {
  Index capacity = 16;  // at least
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    slots_.push_back(static_cast<Index>(b));
    writers_.emplace_back();
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) writers_[b].push_back(tokens_read_++);
    capacity = std::max(capacity, offsets[b + 1] - offsets[b]);
  }
  for (Index i = 0; i < c.layers; ++i) {
    layers_.push_back({Tensor::uninitialised({rows(), capacity, c.heads * c.d_k}),
                       Tensor::uninitialised({rows(), capacity, c.heads * c.d_v})});
  }
}

void KeyValueCache::tell(std::size_t layer, const Tensor& K, const Tensor& V,
                         const Offsets& offsets) {
  Layer& own = layers_[layer];
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index begin = offsets[b], count = offsets[b + 1] - begin, first = slots_[b] * capacity();
    std::copy_n(K.row(begin), count * K.cols(), own.K.row(first));
    std::copy_n(V.row(begin), count * V.cols(), own.V.row(first));
  }
}

std::vector<Index> KeyValueCache::positions() const {
  std::vector<Index> positions;
  for (const Index slot : slots_) {
    positions.push_back(static_cast<Index>(writers_[static_cast<std::size_t>(slot)].size()));
  }
  return positions;
}

Tensor KeyValueCache::attend(const MultiHeadAttention& attention, std::size_t layer,
                             const Tensor& u) {
  const Tensor k = attention.keys(u, positions()), v = attention.value.forward(u);
  const std::vector<Index> at = positions();
  if (std::find(at.begin(), at.end(), capacity()) != at.end()) {
    enlarge(static_cast<Index>(writers_.size()), 2 * capacity());
  }
  std::vector<MultiHeadAttention::Memory> past;
  for (Index r = 0; r < rows(); ++r) {
    const Index first = slots_[static_cast<std::size_t>(r)] * capacity();
    const Index position = at[static_cast<std::size_t>(r)];
    const MatrixView K(layers_[layer].K.row(first), position + 1, k.cols(), k.cols());
    const MatrixView V(layers_[layer].V.row(first), position + 1, v.cols(), v.cols());
    std::copy_n(k.row(r), k.cols(), K.row(position));
    std::copy_n(v.row(r), v.cols(), V.row(position));
    past.push_back({1, K, V, position});
  }
  return attention.attend(u, past);
}

void KeyValueCache::advance() {
  for (const Index slot : slots_) {
    writers_[static_cast<std::size_t>(slot)].push_back(tokens_read_++);
  }
}

// [S, capacity, width] → [slots, positions, width], with the positions that are taken.
void KeyValueCache::enlarge(Index slots, Index positions) {
  const Index old = capacity();
  for (Layer& layer : layers_) {
    for (Tensor* x : {&layer.K, &layer.V}) {
      Tensor larger = Tensor::uninitialised({slots, positions, x->cols()});
      parallel_for(static_cast<Index>(writers_.size()), [&](Index s) {
        const Index taken = static_cast<Index>(writers_[static_cast<std::size_t>(s)].size());
        std::copy_n(x->row(s * old), taken * x->cols(), larger.row(s * positions));
      });
      *x = std::move(larger);
    }
  }
  writers_.resize(static_cast<std::size_t>(slots));
}

// Makes slot `to` equal to slot `from`. Rows of one sentence share most of their past, so only the
// positions that differ are copied.
void KeyValueCache::copy_slot(Index from, Index to) {
  const std::vector<Index>& source = writers_[static_cast<std::size_t>(from)];
  std::vector<Index>& target = writers_[static_cast<std::size_t>(to)];
  for (std::size_t t = 0; t < source.size(); ++t) {
    if (t < target.size() && source[t] == target[t]) continue;
    const Index old = from * capacity() + static_cast<Index>(t);
    const Index copy = to * capacity() + static_cast<Index>(t);
    for (Layer& layer : layers_) {
      std::copy_n(layer.K.row(old), layer.K.cols(), layer.K.row(copy));
      std::copy_n(layer.V.row(old), layer.V.cols(), layer.V.row(copy));
    }
  }
  target = source;
}

void KeyValueCache::reorder(const std::vector<Index>& rows) {
  for (const Index r : rows) {
    ATTN_CHECK(r >= 0 && r < this->rows(), "no row ", r, " in the decoding state");
  }
  if (rows.size() > writers_.size()) enlarge(static_cast<Index>(rows.size()), capacity());

  // The first new row that continues an old one stays in its slot. The others copy it to slots that
  // are free, which nobody copies from.
  std::vector<Index> slots;
  std::vector<bool> taken(writers_.size());
  constexpr Index kNone = -1;
  for (const Index old : rows) {
    const Index slot = slots_[static_cast<std::size_t>(old)];
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
    copies.emplace_back(slots_[static_cast<std::size_t>(rows[r])], slots[r]);
  }
  parallel_for(static_cast<Index>(copies.size()), [&](Index i) {
    const auto& [from, to] = copies[static_cast<std::size_t>(i)];
    copy_slot(from, to);
  });
  slots_ = std::move(slots);
}

}  // namespace attn
