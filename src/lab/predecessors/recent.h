// Recent: the last rows that each of R sequences has seen, oldest first. Decoding step by step
// needs no more of the past where a layer sees a window of positions only.
#pragma once

#include <vector>

#include "tensor/tensor.h"

namespace attn {

struct Recent {
  Tensor rows;     // [R, length, width]; zeros stand for positions before the first
  Index seen = 0;  // positions so far

  Recent() = default;
  Recent(Index sequences, Index length, Index width)
      : rows(Tensor::zeros({sequences, length, width})) {}

  Index sequences() const { return rows.shape().size[0]; }
  Index length() const { return rows.shape().size[1]; }
  // How many of a sequence's rows, the last ones, are positions that it has seen.
  Index filled() const { return seen < length() ? seen : length(); }

  // Row r of x [R, width] is the newest of sequence r; the oldest is forgotten.
  void push(const Tensor& x);
  // Sequence r becomes what sequence `sources[r]` was.
  void reorder(const std::vector<Index>& sources);
};

}  // namespace attn
