// Packed sentences, ordered by time. A recurrent network cannot read the tokens of a sentence at
// once, but it can read the same token of many sentences at once. So the rows of a batch are put
// into the order of their steps, the longest sentence first:
//
//     sentences    a b c   d e f g   h            rows of step 0: d a h
//                                                          step 1: e b
//                                                          step 2: f c
//                                                          step 3: g
//
// Each step is a block of rows, and row s belongs to the same sentence in every step that has it.
#pragma once

#include <vector>

#include "tensor/packed.h"
#include "tensor/tensor.h"

namespace attn {

// Whether step 0 is the first token of each sentence or the last.
enum class Direction { forwards, backwards };

struct TimeSteps {
  std::vector<Index> tokens;     // [T]: row i is token tokens[i] of the packed batch
  std::vector<Index> sentences;  // [B]: row s of every step belongs to sentence sentences[s]
  Offsets begins{0};             // [steps + 1]: step t is rows begins[t] to begins[t + 1] − 1

  Index steps() const { return begins.size() - 1; }
  Index batch() const { return sentences.size(); }
  Index begin(Index t) const { return begins[t]; }
  Index rows(Index t) const { return begin(t + 1) - begin(t); }  // never more than in step t − 1
};
TimeSteps time_steps(const Offsets& offsets, Direction direction);

// Row i of the result is row rows[i] of x; and back again, row rows[i] of the result is row i of x,
// for which `rows` must be a permutation.
Tensor gathered(const Tensor& x, const std::vector<Index>& rows);
Tensor scattered(const Tensor& x, const std::vector<Index>& rows);

}  // namespace attn
