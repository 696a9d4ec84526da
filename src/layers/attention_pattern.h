// Which queries attend to which keys: in a batch of whole sentences, and in decoding, where the
// newest tokens are the only queries.
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
    Rows keys;     // of K and V, or of those in `past`
    Index weight_count() const { return queries.count() * keys.count(); }
  };
  Mask mask = Mask::none;
  std::vector<Sentence> sentences;
  // [T_x] and [T_memory]: where each token is in its sentence, from 0, for rotary positions.
  std::vector<Index> query_positions, key_positions;
  // In decoding, the keys and values that are there already: of earlier tokens, or of the source.
  KeyValues* past = nullptr;  // which changes, even if the pattern is const

  // Returns all keys and values: the new ones or, in decoding, the past, after appending the new
  // ones to each sentence's rows. (Encoder–decoder attention has no new ones.)
  const KeyValues& append_to_past(const KeyValues& new_ones) const;
  Index weight_count() const;  // of one head: Σ queries · keys
};

// Sentence b of x attends to sentence b of the memory. Offsets say where in a packed batch each
// sentence begins. Throws Error if x and the memory have different numbers of sentences.
AttentionPattern sentence_by_sentence(const Offsets& x, const Offsets& memory, Mask mask);

}  // namespace attn
