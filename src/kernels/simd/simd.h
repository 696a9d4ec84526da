// Vectors of Real: the one file with intrinsics, except for a multiplication in random_words.h. The
// rest of this folder builds on it, compiled per instruction set into a namespace of that name.
//
// Vector is what one register holds. The arithmetic operators and comparisons on it are the
// compiler's own (GCC and clang vector extensions). Lanes is always kLanes numbers, in as many
// registers as that takes, so that a sum over Lanes has one order on every instruction set.
#pragma once

#include <stdint.h>

#include <utility>

#include "base/real.h"
#include "kernels/kernels.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace attn::ATTENTION_ISA_NAME {

#if defined(ATTENTION_ISA_AVX512)
constexpr Index kVectorBytes = 64;
#elif defined(ATTENTION_ISA_AVX2)
constexpr Index kVectorBytes = 32;
#else
constexpr Index kVectorBytes = 16;
#endif

// Numbers in a vector, and vectors in Lanes.
constexpr Index kWidth = kVectorBytes / static_cast<Index>(sizeof(Real));
constexpr int kVectorsInLine = static_cast<int>(64 / kVectorBytes);  // a cache line
constexpr Index kParts = kLanes / kWidth;

#ifdef ATTENTION_DOUBLE
using RealBits = int64_t;
#else
using RealBits = int32_t;
#endif

typedef Real Vector __attribute__((vector_size(kVectorBytes)));
typedef RealBits BitsVector __attribute__((vector_size(kVectorBytes)));
typedef Real UnalignedVector
    __attribute__((vector_size(kVectorBytes), aligned(sizeof(Real)), may_alias));

static inline Vector load(const Real* p) {
  return *reinterpret_cast<const UnalignedVector*>(p);
}
static inline void store(Real* p, Vector v) {
  *reinterpret_cast<UnalignedVector*>(p) = v;
}
static inline Vector broadcast(Real x) {
  return x - Vector{};
}

// 0, 1, 2, …
static inline BitsVector counting() {
  BitsVector v{};
  for (Index i = 0; i < kWidth; ++i) v[i] = static_cast<RealBits>(i);
  return v;
}
// Asks for a cache line that will be needed soon, into the nearest cache, or later, into the
// second. The address may be outside our memory: a prefetch has no effect that a program sees.
static inline void prefetch(const Real* p) {
  __builtin_prefetch(p, 0, 3);
}
static inline void prefetch_later(const Real* p) {
  __builtin_prefetch(p, 0, 2);
}

// a · b + c: rounded once where the processor can, and twice in portable code.
static inline Real fma(Real a, Real b, Real c) {
#ifdef ATTENTION_ISA_PORTABLE
  return a * b + c;
#else
  return __builtin_fmaf(a, b, c);
#endif
}

// A float by way of double: a root of 53 bits rounds to the same 24 bits as the exact one.
static inline Real square_root(Real x) {
  return static_cast<Real>(__builtin_sqrt(static_cast<double>(x)));
}

// On vectors, the same. load_part and store_part leave alone what is after the first `count`
// numbers at p; the rest of the vector is zeros. (Double is in portable code alone.)
#if defined(ATTENTION_ISA_AVX512)
static inline Vector fma(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_ps(a, b, c);
}
// The masked form with all lanes on: g++ 12 warns about its own header in the plain one.
static inline Vector square_root(Vector x) {
  return _mm512_maskz_sqrt_ps(0xffff, x);
}
static inline Vector load_part(const Real* p, Index count) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), p);
}
static inline void store_part(Real* p, Vector v, Index count) {
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << count) - 1), v);
}

#elif defined(ATTENTION_ISA_AVX2)
static inline Vector fma(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_ps(a, b, c);
}
static inline Vector square_root(Vector x) {
  return _mm256_sqrt_ps(x);
}
static inline Vector load_part(const Real* p, Index count) {
  return _mm256_maskload_ps(p, (__m256i)(counting() < static_cast<RealBits>(count)));
}
// In halves, because AMD's processors take a dozen cycles for a store with a mask.
static inline void store_part(Real* p, Vector v, Index count) {
  if (count >= kWidth) return store(p, v);
  __m128 rest = _mm256_castps256_ps128(v);
  if (count & 4) {
    _mm_storeu_ps(p, rest);
    rest = _mm256_extractf128_ps(v, 1);
    p += 4;
  }
  if (count & 2) {
    _mm_storel_pi(reinterpret_cast<__m64*>(p), rest);
    rest = _mm_movehl_ps(rest, rest);
    p += 2;
  }
  if (count & 1) _mm_store_ss(p, rest);
}

#else
static inline Vector fma(Vector a, Vector b, Vector c) {
#ifdef ATTENTION_ISA_NEON
  return vfmaq_f32(c, a, b);
#else
  return a * b + c;
#endif
}
static inline Vector square_root(Vector x) {
  for (Index i = 0; i < kWidth; ++i) x[i] = square_root(x[i]);
  return x;
}
// Number i of a vector is in a register only if i is a constant, as it is once these loops are
// unrolled: in WebAssembly every other one goes through memory.
static inline Vector load_part(const Real* p, Index count) {
  if (count >= kWidth) return load(p);
  Vector v{};
  for (Index i = 0; i < kWidth; ++i) {
    if (i < count) v[i] = p[i];
  }
  return v;
}
static inline void store_part(Real* p, Vector v, Index count) {
  if (count >= kWidth) return store(p, v);
  for (Index i = 0; i < kWidth; ++i) {
    if (i < count) p[i] = v[i];
  }
}
#endif

// The numbers of a, then those of b, at the places `from`.
template <int... from, class V>
static inline V shuffle(V a, V b) {
#if defined(__clang__) || __GNUC__ >= 12
  return __builtin_shufflevector(a, b, from...);
#else
  return __builtin_shuffle(a, b, decltype(a < b){from...});
#endif
}

// (a0, b0, a1, b1, …) from the first halves of a and b, and from their second halves.
template <int first, class V, int... i>
static inline V interleave(V a, V b, std::integer_sequence<int, i...>) {
  constexpr int numbers = sizeof...(i);
  return shuffle<(first * numbers / 2 + i / 2 + i % 2 * numbers)...>(a, b);
}
template <class V>
using NumbersOf = std::make_integer_sequence<int, sizeof(V) / sizeof(V{}[0])>;
template <class V>
static inline V interleave_low(V a, V b) {
  return interleave<0>(a, b, NumbersOf<V>{});
}
template <class V>
static inline V interleave_high(V a, V b) {
  return interleave<1>(a, b, NumbersOf<V>{});
}

// Each number exchanged for the one `distance` further on or, from there, back.
template <int distance, class V, int... i>
static inline V exchanged(V v, std::integer_sequence<int, i...>) {
  return shuffle<(i ^ distance)...>(v, v);
}

// The first `count` numbers of x, and `other` in place of the rest.
static inline Vector first_of(Vector x, Index count, Vector other) {
  return counting() < static_cast<RealBits>(count) ? x : other;
}

// a if it is greater than b, else b: so a NaN in b stays and one in a does not.
static inline Vector max(Vector a, Vector b) {
  return a > b ? a : b;
}

}  // namespace attn::ATTENTION_ISA_NAME
