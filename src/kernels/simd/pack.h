// Packing: copying a part of A or B into the order in which the tile function reads it.
#pragma once

#include "kernels/simd/simd.h"

namespace attn::ATTENTION_ISA_NAME {

// Transposes kWidth rows of kWidth numbers. Each round interleaves row i with row i + kWidth / 2
// into rows 2i and 2i + 1; that rotates the bits of a number's address (row, column) by one, so
// after log2(kWidth) rounds row and column have changed places.
static inline void transpose(Vector (&rows)[kWidth]) {
#pragma GCC unroll 4
  for (Index round = 1; round < kWidth; round *= 2) {
    Vector next[kWidth];
#pragma GCC unroll 16
    for (Index i = 0; i < kWidth / 2; ++i) {
      next[2 * i] = interleave_low(rows[i], rows[i + kWidth / 2]);
      next[2 * i + 1] = interleave_high(rows[i], rows[i + kWidth / 2]);
    }
#pragma GCC unroll 16
    for (Index i = 0; i < kWidth; ++i) rows[i] = next[i];
  }
}

// Lanes that are next to each other: row k is copied, and filled up with zeros.
static inline void pack_adjacent(Index depth, Index count, const Real* from, Index from_k, Real* to,
                                 Index to_k) {
  const Index rest = count % kWidth, whole = count - rest;
  for (Index k = 0; k < depth; ++k, from += from_k, to += to_k) {
    for (Index i = 0; i < whole; i += kWidth) store(to + i, load(from + i));
    if (rest > 0) store(to + whole, load_part(from + whole, rest));
  }
}

// At most kWidth lanes, the numbers of each next to each other: squares are transposed.
static inline void pack_transposed(Index depth, Index count, const Real* from, Index from_lane,
                                   Real* to, Index to_k) {
  for (Index k = 0; k < depth; k += kWidth, from += kWidth, to += kWidth * to_k) {
    const Index steps = depth - k < kWidth ? depth - k : kWidth;
    Vector square[kWidth];
#pragma GCC unroll 16
    for (Index i = 0; i < kWidth; ++i) {
      square[i] = Vector{};
      if (i < count) {
        const Real* lane = from + i * from_lane;
        square[i] = steps == kWidth ? load(lane) : load_part(lane, steps);
      }
    }
    transpose(square);
#pragma GCC unroll 16
    for (Index i = 0; i < kWidth; ++i) {
      if (i < steps) store(to + i * to_k, square[i]);
    }
  }
}

// to[k * to_k + i] = from[i * from_lane + k * from_k] for k < depth and i < count, and zeros after
// that up to the next whole vector.
static inline void pack(Index depth, Index count, const Real* from, Index from_lane, Index from_k,
                        Real* to, Index to_k) {
  if (from_lane == 1) return pack_adjacent(depth, count, from, from_k, to, to_k);
  for (Index i = 0; i < count; i += kWidth, from += kWidth * from_lane, to += kWidth) {
    const Index lanes = count - i < kWidth ? count - i : kWidth;
    if (from_k == 1) {
      pack_transposed(depth, lanes, from, from_lane, to, to_k);
      continue;
    }
    for (Index k = 0; k < depth; ++k) {
      for (Index lane = 0; lane < kWidth; ++lane) {
        to[k * to_k + lane] = lane < lanes ? from[lane * from_lane + k * from_k] : 0;
      }
    }
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
