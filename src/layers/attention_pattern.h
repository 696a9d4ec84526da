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
  struct Rows {
    Index begin, end;
    Index count() const { return end - begin; }
  };
  // The scores of all queries with all keys would be a matrix [T_x, T_memory]. Only those within a
  // sentence are computed.
  struct Sentence {
    Rows queries;  // of Q
    Rows keys;     // of K and V
    Index weights() const { return queries.count() * keys.count(); }
  };
  Mask mask = Mask::none;
  std::vector<Sentence> sentences;
  // [T_x] and [T_memory]: where each token is in its sentence, from 0.
  std::vector<Index> query_positions, key_positions;
  // In decoding, the keys and values of tokens that were read before. The memory has new tokens
  // only, or none; forward writes theirs here, as the last of each sentence's.
  KeyValues* past = nullptr;

  Index weights() const;  // Σ queries · keys, of one head
};

// Sentence b of x attends to sentence b of the memory. Throws Error if their numbers differ.
AttentionPattern sentence_by_sentence(const Offsets& x, const Offsets& memory, Mask mask);

}  // namespace attn
