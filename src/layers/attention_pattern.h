// Which queries attend to which keys: in a batch of whole sentences, and in decoding, where the
// newest token of each sentence is the only query.
#pragma once

#include <vector>

#include "layers/softmax.h"
#include "tensor/packed.h"
#include "tensor/tensor.h"

namespace attn {

// The keys [n, h·d_k] and values [n, h·d_v] of n tokens, for all heads.
struct KeyValues {
  Tensor K, V;
};

struct AttentionPattern {
  // The scores of all queries with all keys would be a matrix [T_x, T_memory]. Only these blocks of
  // it are computed, one per sentence.
  struct Block {
    Index query, queries;    // rows of Q: the first, and how many
    Index key, keys;         // rows of K and V
    Index first_weight = 0;  // how many there are in the blocks before: Σ queries · keys
  };
  Mask mask = Mask::none;
  std::vector<Block> blocks;
  // [T_x] and [T_memory]: where each token is in its sentence, from 0.
  std::vector<Index> query_positions, key_positions;
  // In decoding, the keys and values of tokens that were read before. The memory has new tokens
  // only, or none; forward writes theirs here, as the last of each block's.
  KeyValues* past = nullptr;

  void add(Index query, Index queries, Index key, Index keys);
  Index weights() const;
};

// Sentence b of x attends to sentence b of the memory. Throws Error if their numbers differ.
AttentionPattern sentence_by_sentence(const Offsets& x, const Offsets& memory, Mask mask);

}  // namespace attn
