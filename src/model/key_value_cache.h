// The key–value cache of decoding. Under a causal mask, the keys and values of earlier positions do
// not change when a token is added, so they are kept, and a step computes one position per row.
#pragma once

#include <vector>

#include "layers/attention_pattern.h"
#include "model/config.h"

namespace attn {

// What every layer's self-attention projected from the tokens that each of R rows has read. Rows
// may have read different numbers of them.
class KeyValueCache {
 public:
  std::vector<KeyValues> layers;  // [S · capacity, h·d_k] and [S · capacity, h·d_v]

  KeyValueCache(Index rows, const TransformerConfig& config);

  Index rows() const { return slots_.size(); }
  // Row r reads the tokens of sentence r, which attend to themselves and to those before them. Each
  // layer's forward adds their keys and values, if the pattern's past is that of the layer.
  AttentionPattern read(const Offsets& tokens);
  // The same with one token per row.
  AttentionPattern read_one();
  // Row r becomes what row rows[r] was. Throws Error if there is no such row.
  void reorder(const std::vector<Index>& rows);

 private:
  void enlarge(Index slots, Index capacity);
  void copy_slot(Index from, Index to, Index length);

  Index slot_count_ = 0, capacity_ = 0;  // S; tokens per slot
  std::vector<Index> slots_;             // [R]: the slot of each row's keys and values
  std::vector<Index> lengths_;           // [R]: how many tokens each row has read
};

}  // namespace attn
