// Squares of kWidth by kWidth numbers, transposed in registers.
#pragma once

#include "kernels/simd/simd.h"

namespace attn::ATTENTION_ISA_NAME {

// Each round interleaves row i with row i + kWidth / 2 into rows 2i and 2i + 1. That rotates the
// bits of a number's address (row, column) by one, so log2(kWidth) rounds exchange row and column.
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

// square[k][i] = from[i * stride + k] for i < count ≤ kWidth and k < steps ≤ kWidth, else 0.
static inline void load_transposed(const Real* from, Index stride, Index count, Index steps,
                                   Vector (&square)[kWidth]) {
  if (count == kWidth && steps == kWidth) {
#pragma GCC unroll 16
    for (Index i = 0; i < kWidth; ++i) square[i] = load(from + i * stride);
  } else {
#pragma GCC unroll 16
    for (Index i = 0; i < kWidth; ++i) {
      square[i] = i < count ? load_part(from + i * stride, steps) : Vector{};
    }
  }
  transpose(square);
}

}  // namespace attn::ATTENTION_ISA_NAME
