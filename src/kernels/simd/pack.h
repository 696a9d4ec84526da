// Packing: copying a part of A or B into the order in which the tile function reads it. Lanes (rows
// of A, columns of B) form panels; a panel holds each k's lanes, with zeros up to whole vectors.
#pragma once

#include "kernels/simd/matmul_block.h"
#include "kernels/simd/transpose.h"

namespace attn::ATTENTION_ISA_NAME {

struct Packing {
  Index depth;       // how many k
  const Real* from;  // lane i of k is from[i * from_lane + k * from_k]
  Index from_lane, from_k;
  Real* to;  // lane i of a panel and k is to[k * to_k + i]
  Index to_k;
  Index first_panel = 0;  // is where `to` begins
};

// Lanes that are next to each other: row k of a few panels is copied at a time, one long piece of
// memory. `lanes` has where each panel begins and the last ends.
static inline void pack_adjacent(const Packing& p, Index panels, const Index* lanes, Real* to) {
  const Index panel = p.depth * p.to_k;
  for (Index k = 0; k < p.depth; ++k, to += p.to_k) {
    const Real* from = p.from + k * p.from_k;
    // The processor does not fetch pieces so far apart; a large product takes up to 5 % less time.
    for (Index lane = lanes[0]; lane < lanes[panels]; lane += kVectorsInLine * kWidth) {
      prefetch(from + lane + 8 * p.from_k);
    }
    for (Index x = 0; x < panels; ++x) {
      Real* out = to + x * panel;
      Index lane = lanes[x];
      for (; lane + kWidth <= lanes[x + 1]; lane += kWidth, out += kWidth) {
        store(out, load(from + lane));
      }
      if (lane < lanes[x + 1]) store(out, load_part(from + lane, lanes[x + 1] - lane));
    }
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

// Panels begin to end - 1, at most kMostPanelsTogether. Panel x begins with lane first_lane(x).
template <class FirstLane>
static inline void pack(const Packing& p, Index begin, Index end, const FirstLane& first_lane) {
  Index lanes[kMostPanelsTogether + 1];
  for (Index x = begin; x <= end; ++x) lanes[x - begin] = first_lane(x);
  Real* to = p.to + (begin - p.first_panel) * p.depth * p.to_k;
  if (p.from_lane == 1) return pack_adjacent(p, end - begin, lanes, to);
  for (Index x = 0; x < end - begin; ++x, to += p.depth * p.to_k) {
    const Index count = lanes[x + 1] - lanes[x];
    const Real* from = p.from + lanes[x] * p.from_lane;
    if (p.from_k == 1) {
      pack_transposed(p.depth, count, from, p.from_lane, to, p.to_k);
      continue;
    }
    const Index padded = (count + kWidth - 1) / kWidth * kWidth;
    for (Index k = 0; k < p.depth; ++k, from += p.from_k) {
      for (Index i = 0; i < padded; ++i) {
        to[k * p.to_k + i] = i < count ? from[i * p.from_lane] : 0;
      }
    }
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
