// One tile of C, a few rows by a few vectors, kept in registers while k runs. A step reads one row
// of B (`vectors` vectors) and one column of A (`rows` numbers) for rows · vectors fused
// multiply-adds: with 14 rows and 2 vectors, 16 reads feed 28 of them, so the arithmetic units, not
// the reads, set the pace. Every number of the tile is a chain of its own.
#pragma once

#include "kernels/simd/transpose.h"

namespace attn::ATTENTION_ISA_NAME {

// The largest tile: C, a row of B and a number of A have to fit into the registers.
#if defined(ATTENTION_ISA_AVX512)
constexpr int kTileRows = 14, kTileVectors = 28;
#elif defined(ATTENTION_ISA_NEON)
constexpr int kTileRows = 12, kTileVectors = 24;
#else
constexpr int kTileRows = 6, kTileVectors = 12;
#endif

struct Tile {
  Index depth;    // how far k runs
  const Real* a;  // A's number (i, k) is a[i * a_row + k * a_k]
  Index a_row, a_k;
  const Real* b;  // B's row k begins at b + k * b_k and is read in whole vectors
  Index b_k;      // (transposed: column j at b + j * b_column, of which `depth` numbers are read)
  Index b_column;
  Real* c;
  Index c_stride;
  Index columns;     // how many columns of C there are, at most vectors * kWidth
  bool start;        // from 0, not from what C holds
  const Real* bias;  // added at the end if not null
  bool relu;
  const Real* next_c;  // the tile that will be next, brought into the cache meanwhile,
  const Real* next_a;  // and numbers of A that will be needed soon, next_a_step for each k
  Index next_a_step;
};

constexpr Index kLinesAhead = 16;  // of B, fetched into the cache before they are needed
constexpr Index kShortDepth = 64;  // a product of so few k ends before a cache line arrives

template <int rows, int vectors>
[[gnu::always_inline]] static inline void start_tile(const Tile& t, Vector (&c)[rows][vectors]) {
  const Index last = t.columns - (vectors - 1) * kWidth;  // columns in the last vector
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < vectors; ++j) {
      const Real* old = t.c + i * t.c_stride + j * kWidth;
      c[i][j] = Vector{};
      if (!t.start) c[i][j] = j + 1 < vectors || last == kWidth ? load(old) : load_part(old, last);
    }
  }
  if (t.depth < kShortDepth) return;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < vectors; j += kVectorsInLine) {
      prefetch_later(t.next_c + i * t.c_stride + j * kWidth);
    }
  }
}

template <int rows, int vectors>
[[gnu::always_inline]] static inline void end_tile(const Tile& t, Vector (&c)[rows][vectors]) {
  const Index last = t.columns - (vectors - 1) * kWidth;
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < vectors; ++j) {
      const Index column = j * kWidth;
      const bool whole = j + 1 < vectors || last == kWidth;
      if (t.bias != nullptr) {
        c[i][j] = c[i][j] + (whole ? load(t.bias + column) : load_part(t.bias + column, last));
      }
      if (t.relu) c[i][j] = max(Vector{}, c[i][j]);
      Real* out = t.c + i * t.c_stride + column;
      if (whole) {
        store(out, c[i][j]);
      } else {
        store_part(out, c[i][j], last);
      }
    }
  }
}

// Rows of A next to each other in memory (a_row = 1: A packed or transposed) or, without
// rows_adjacent, a row's numbers next to each other (a_k = 1).
template <int rows, int vectors, bool rows_adjacent>
static void multiply_tile(const Tile& t) {
  Vector c[rows][vectors];
  start_tile(t, c);
  const Real* a = t.a;
  const Real* b = t.b;
  const Real* next_a = t.next_a;
  const Index a_row = rows_adjacent ? 1 : t.a_row, a_k = rows_adjacent ? t.a_k : 1, b_k = t.b_k;
  for (Index k = t.depth; k > 0; --k) {
    Vector row[vectors];
#pragma GCC unroll 16
    for (int j = 0; j < vectors; ++j) row[j] = load(b + j * kWidth);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      const Vector number = broadcast(a[i * a_row]);
#pragma GCC unroll 16
      for (int j = 0; j < vectors; ++j) c[i][j] = fma(number, row[j], c[i][j]);
    }
#pragma GCC unroll 16
    for (int j = 0; j < vectors; j += kVectorsInLine) {
      prefetch(b + kLinesAhead / vectors * b_k + j * kWidth);
    }
    prefetch_later(next_a);
    next_a += t.next_a_step;
    a += a_k;
    b += b_k;
  }
  end_tile(t, c);
}

// The same for one vector of columns of a B whose columns are contiguous: squares of it are
// transposed on the way. That pays only where B is used once, by a single panel of A.
template <int rows, bool rows_adjacent>
static void multiply_tile_transposed(const Tile& t) {
  Vector c[rows][1];
  start_tile(t, c);
  const Real* a = t.a;
  const Index a_row = rows_adjacent ? 1 : t.a_row, a_k = rows_adjacent ? t.a_k : 1;
  for (Index k = 0; k < t.depth; k += kWidth) {
    const Index steps = t.depth - k < kWidth ? t.depth - k : kWidth;
    Vector square[kWidth];
    load_transposed(t.b + k, t.b_column, t.columns, steps, square);
    // The next tile's square at the same k is in other columns, so no earlier load fetched it.
    for (Index j = 0; j < kWidth; ++j) prefetch(t.b + k + (kWidth + j) * t.b_column);
    for (Index step = 0; step < steps; ++step, a += a_k) {
#pragma GCC unroll 16
      for (int i = 0; i < rows; ++i) c[i][0] = fma(broadcast(a[i * a_row]), square[step], c[i][0]);
    }
  }
  end_tile(t, c);
}

using TileFunction = void (*)(const Tile&);

// The tile function for rows × vectors, or null where that would not fit into the registers.
template <int rows, int vectors, bool rows_adjacent>
static constexpr TileFunction tile_function() {
  if constexpr (rows <= kTileRows && rows * vectors <= kTileVectors) {
    return multiply_tile<rows, vectors, rows_adjacent>;
  } else {
    return nullptr;
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
