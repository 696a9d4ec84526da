// The key–value cache of decoding. Under a causal mask, the keys and values of earlier positions do
// not change when a token is added, so they are kept, and a step computes one position per row.
#pragma once

#include <vector>

#include "layers/multi_head_attention.h"
#include "model/config.h"
#include "model/sequence_model.h"

namespace attn {

// What every layer's self-attention projected from the tokens that each of R rows has read. Rows
// may have read different numbers of them.
class KeyValueCache : public DecodingState {
 public:
  // One row for each sentence, which has been read (or is empty): tell what each layer made of it,
  // K [T, h·d_k] and V [T, h·d_v].
  KeyValueCache(const Offsets& offsets, const TransformerConfig& config);
  void tell(std::size_t layer, const Tensor& K, const Tensor& V, const Offsets& offsets);

  Index rows() const { return static_cast<Index>(slots_.size()); }
  // [R]: the position of the token each row reads next.
  std::vector<Index> positions() const;
  // A layer's masked self-attention over that token u [R, d_model] of each row, whose keys and
  // values it keeps, and the past.
  Tensor attend(const MultiHeadAttention& attention, std::size_t layer, const Tensor& u);
  // All layers have read the token.
  void advance();

  // Row r becomes what row rows[r] was. Throws Error if there is no such row.
  void reorder(const std::vector<Index>& rows);

 private:
  struct Layer {
    Tensor K, V;  // [S, capacity, h·d_k] and [S, capacity, h·d_v]
  };
  Index capacity() const { return layers_[0].K.shape().size[1]; }
  void enlarge(Index slots, Index positions);
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
