// Lanes: kLanes numbers at a time, whatever the width of a register. A loop over a row goes in
// steps of kLanes; the last step may be shorter. This decides what a sum over a row is, down to the
// last bit: element j is added to lane j mod kLanes, and the lanes are added in a fixed tree.
#pragma once

#include "kernels/simd/simd.h"

namespace attn::ATTENTION_ISA_NAME {

struct Lanes {
  Vector part[kParts];
};

// Lanes of which vector i is part(i).
template <class Part>
static inline Lanes lanes_of(Part part) {
  Lanes r;
  for (Index i = 0; i < kParts; ++i) r.part[i] = part(i);
  return r;
}
static inline Lanes lanes(Real x) {
  return lanes_of([&](Index) { return broadcast(x); });
}
static inline Lanes load_lanes(const Real* p) {
  return lanes_of([&](Index i) { return load(p + i * kWidth); });
}
static inline void store_lanes(Real* p, const Lanes& x) {
  for (Index i = 0; i < kParts; ++i) store(p + i * kWidth, x.part[i]);
}

// How many numbers of vector i are among the first `count` of Lanes.
static inline Index count_in_part(Index count, Index i) {
  const Index left = count - i * kWidth;
  return left < 0 ? 0 : left > kWidth ? kWidth : left;
}
// The first `count` numbers at p, and 0 in the other lanes.
static inline Lanes load_lanes(const Real* p, Index count) {
  if (count >= kLanes) return load_lanes(p);
  return lanes_of([&](Index i) { return load_part(p + i * kWidth, count_in_part(count, i)); });
}
static inline void store_lanes(Real* p, const Lanes& x, Index count) {
  if (count >= kLanes) return store_lanes(p, x);
  for (Index i = 0; i < kParts; ++i) {
    store_part(p + i * kWidth, x.part[i], count_in_part(count, i));
  }
}
// The first `count` lanes of x, and `other` in the rest.
static inline Lanes keep(const Lanes& x, Index count, Real other) {
  if (count >= kLanes) return x;
  return lanes_of(
      [&](Index i) { return first_of(x.part[i], count_in_part(count, i), broadcast(other)); });
}

static inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return lanes_of([&](Index i) { return a.part[i] + b.part[i]; });
}
static inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return lanes_of([&](Index i) { return a.part[i] - b.part[i]; });
}
static inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return lanes_of([&](Index i) { return a.part[i] * b.part[i]; });
}
static inline Lanes operator/(const Lanes& a, const Lanes& b) {
  return lanes_of([&](Index i) { return a.part[i] / b.part[i]; });
}
static inline Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
  return lanes_of([&](Index i) { return fma(a.part[i], b.part[i], c.part[i]); });
}
static inline Lanes max(const Lanes& a, const Lanes& b) {
  return lanes_of([&](Index i) { return max(a.part[i], b.part[i]); });
}
static inline Lanes square_root(const Lanes& x) {
  return lanes_of([&](Index i) { return square_root(x.part[i]); });
}

// All lanes combined, with the result in every lane: the two halves of the registers, again and
// again until one is left; in it, lanes that are 8 apart, then 4, 2 and 1. (By way of memory, layer
// normalisation takes twice as long.)
template <class Combine>
static inline Lanes combined(const Lanes& x, Combine combine) {
  Lanes r = x;
  for (Index half = kParts / 2; half > 0; half /= 2) {
    for (Index i = 0; i < half; ++i) r.part[i] = combine(r.part[i], r.part[i + half]);
  }
  Vector v = r.part[0];
  if constexpr (kWidth > 8) v = combine(v, exchanged<8>(v, NumbersOf<Vector>{}));
  if constexpr (kWidth > 4) v = combine(v, exchanged<4>(v, NumbersOf<Vector>{}));
  if constexpr (kWidth > 2) v = combine(v, exchanged<2>(v, NumbersOf<Vector>{}));
  v = combine(v, exchanged<1>(v, NumbersOf<Vector>{}));
  return lanes_of([&](Index) { return v; });
}
static inline Lanes sum(const Lanes& x) {
  return combined(x, [](Vector a, Vector b) { return a + b; });
}
static inline Lanes largest(const Lanes& x) {
  return combined(x, [](Vector a, Vector b) { return max(a, b); });
}
static inline Real first(const Lanes& x) {
  return x.part[0][0];
}

}  // namespace attn::ATTENTION_ISA_NAME
