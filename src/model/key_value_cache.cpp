// Rows are hypotheses: after each token some are dropped, and others continue twice.
#include "model/key_value_cache.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace attn {

KeyValueCache::KeyValueCache(Index rows, const TransformerConfig& c)
    : slots_(rows), lengths_(slots_.size()) {
  for (Index i = 0; i < c.layers; ++i) {
    layers.push_back({Tensor::zeros({0, c.heads * c.d_k}), Tensor::zeros({0, c.heads * c.d_v})});
  }
}

AttentionPattern KeyValueCache::read(const Offsets& tokens) {
  ATTN_CHECK_EQ(tokens.size(), slots_.size() + 1, "sentences and rows of the decoding state");
  Index longest = 0;
  for (Index r = 0; r < rows(); ++r) {
    longest = std::max(longest, lengths_[r] + tokens[r + 1] - tokens[r]);
  }
  if (longest > capacity_)
    enlarge(std::max(rows(), slot_count_), std::max<Index>({16, longest, 2 * capacity_}));

  AttentionPattern pattern;
  pattern.mask = Mask::causal;
  for (Index r = 0; r < rows(); ++r) {
    const Index count = tokens[r + 1] - tokens[r];
    for (Index t = 0; t < count; ++t) pattern.query_positions.push_back(lengths_[r] + t);
    lengths_[r] += count;
    const Index slot = slots_[r] * capacity_;
    pattern.sentences.push_back({{tokens[r], tokens[r + 1]}, {slot, slot + lengths_[r]}});
  }
  pattern.key_positions = pattern.query_positions;
  return pattern;
}

AttentionPattern KeyValueCache::read_one() {
  Offsets tokens;
  for (Index r = 0; r <= rows(); ++r) tokens.push_back(r);
  return read(tokens);
}

// Makes room for so many slots, of this capacity. Row r moves to slot r.
void KeyValueCache::enlarge(Index slots, Index capacity) {
  for (KeyValues& layer : layers) {
    for (Tensor* x : {&layer.K, &layer.V}) {
      Tensor larger = Tensor::uninitialised({slots * capacity, x->cols()});
      for (Index r = 0; r < rows(); ++r) {
        std::copy_n(x->row(slots_[r] * capacity_), lengths_[r] * x->cols(),
                    larger.row(r * capacity));
      }
      *x = std::move(larger);
    }
  }
  std::iota(slots_.begin(), slots_.end(), Index{0});
  slot_count_ = slots;
  capacity_ = capacity;
}

void KeyValueCache::copy_slot(Index from, Index to, Index length) {
  for (KeyValues& layer : layers) {
    for (Tensor* x : {&layer.K, &layer.V}) {
      std::copy_n(x->row(from * capacity_), length * x->cols(), x->row(to * capacity_));
    }
  }
}

void KeyValueCache::reorder(const std::vector<Index>& rows) {
  for (const Index r : rows) {
    ATTN_CHECK(r >= 0 && r < this->rows(), "no row ", r, " in the decoding state");
  }
  const Index count = rows.size();
  if (count > slot_count_) enlarge(count, capacity_);

  // A row's first continuation keeps its slot. The others copy it to slots that are free.
  std::vector<Index> slots, lengths;
  std::vector<bool> taken(slot_count_);
  constexpr Index kNone = -1;
  for (const Index r : rows) {
    const Index slot = slots_[r];
    slots.push_back(taken[slot] ? kNone : slot);
    lengths.push_back(lengths_[r]);
    taken[slot] = true;
  }
  Index free = 0;
  for (Index r = 0; r < count; ++r) {
    if (slots[r] != kNone) continue;
    while (taken[free]) ++free;
    slots[r] = free++;
    copy_slot(slots_[rows[r]], slots[r], lengths[r]);
  }
  slots_ = std::move(slots);
  lengths_ = std::move(lengths);
}

}  // namespace attn
