// Packing: copying a part of A or B into the order in which the tile function reads it.
#pragma once

#include "kernels/simd/transpose.h"

namespace attn::ATTENTION_ISA_NAME {

// Lanes that are next to each other: row k is copied, and filled up with zeros.
static inline void pack_adjacent(Index depth, Index count, const Real* from, Index from_k, Real* to,
                                 Index to_k) {
  const Index rest = count % kWidth, whole = count - rest;
  for (Index k = 0; k < depth; ++k, from += from_k, to += to_k) {
    for (Index i = 0; i < whole; i += kWidth) store(to + i, load(from + i));
    if (rest > 0) store(to + whole, load_part(from + whole, rest));
  }
}

// Lanes whose own numbers are next to each other: square after square is transposed.
static inline void pack_transposed(Index depth, Index count, const Real* from, Index from_lane,
                                   Real* to, Index to_k) {
  for (Index k = 0; k < depth; k += kWidth, from += kWidth, to += kWidth * to_k) {
    const Index steps = depth - k < kWidth ? depth - k : kWidth;
    for (Index i = 0; i < count; i += kWidth) {
      Vector square[kWidth];
      load_transposed(from + i * from_lane, from_lane, count - i < kWidth ? count - i : kWidth,
                      steps, square);
#pragma GCC unroll 16
      for (Index step = 0; step < kWidth; ++step) {
        if (step < steps) store(to + step * to_k + i, square[step]);
      }
    }
  }
}

// to[k * to_k + i] = from[i * from_lane + k * from_k] for k < depth and i < count, and zeros after
// that up to the next whole vector.
static inline void pack(Index depth, Index count, const Real* from, Index from_lane, Index from_k,
                        Real* to, Index to_k) {
  if (from_lane == 1) return pack_adjacent(depth, count, from, from_k, to, to_k);
  if (from_k == 1) return pack_transposed(depth, count, from, from_lane, to, to_k);
  const Index padded = (count + kWidth - 1) / kWidth * kWidth;
  for (Index k = 0; k < depth; ++k, from += from_k, to += to_k) {
    for (Index i = 0; i < padded; ++i) to[i] = i < count ? from[i * from_lane] : 0;
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
