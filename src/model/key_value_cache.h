// The key–value cache of decoding. Under a causal mask, the keys and values of earlier positions do
// not change when a token is added, so they are kept, and a step computes one position per row.
#pragma once

#include <vector>

#include "layers/multi_head_attention.h"
#include "model/config.h"

namespace attn {

// What every layer's self-attention projected from the tokens that each of R rows has read. Rows
// may have read different numbers of them.
class KeyValueCache {
 public:
  // One row for each sentence, which has been read: tell what each layer made of it. Nothing has
  // been read where the sentences are empty.
  KeyValueCache(const Offsets& offsets, const TransformerConfig& config);
  // K [T, h·d_k], V [T, h·d_v]
  void tell(std::size_t layer, const Tensor& K, const Tensor& V, const Offsets& offsets);

  Index rows() const { return static_cast<Index>(slots_.size()); }
  // [R]: of the token that each row reads next.
  std::vector<Index> positions() const;
  // Keeps what a layer projected from that token of each row: k [R, h·d_k], v [R, h·d_v]. Returns
  // what each row looks at then: its past and itself.
  std::vector<MultiHeadAttention::Memory> extended(std::size_t layer, const Tensor& k,
                                                   const Tensor& v);
  // All layers have read the token.
  void advance();

  // Row r becomes what row rows[r] was. Throws Error if there is no such row.
  void reorder(const std::vector<Index>& rows);

 private:
  struct Layer {
    Tensor K, V;  // [S, capacity, h·d_k] and [S, capacity, h·d_v]
  };
  Index capacity() const { return layers_[0].K.shape().size[1]; }
  Index slots_in_all() const { return static_cast<Index>(writers_.size()); }
  void enlarge(Index slots, Index capacity);
  void copy_slot(Index from, Index to);

  std::vector<Layer> layers_;
  // Each row keeps its keys and values in a slot of its own. writers_[s][t] is the number of the
  // token that wrote position t of slot s: where two slots have the same writer, they hold the same
  // keys and values. Slots of rows that are gone are free.
  std::vector<Index> slots_;                 // [R]
  std::vector<std::vector<Index>> writers_;  // [S], each as long as what its row has read
  Index tokens_read_ = 0;
};

}  // namespace attn
