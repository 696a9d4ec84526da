// Philox (base/philox.h) for several blocks at a time: the same ten rounds, on vectors.
#pragma once

#include "base/philox.h"
#include "kernels/simd/simd.h"

namespace attn::ATTENTION_ISA_NAME {

// The same 32-bit word of several blocks, in the low halves of 64-bit numbers; the rest is unused.
typedef uint64_t Words __attribute__((vector_size(kVectorBytes)));
constexpr Index kBlocks = kVectorBytes / 8;
constexpr Index kWords = 4 * kBlocks;

// The 64-bit products of the low 32 bits.
static inline Words multiply_low(Words a, Words b) {
#if defined(ATTENTION_ISA_AVX512)
  return (Words)_mm512_maskz_mul_epu32(0xff, (__m512i)a, (__m512i)b);
#elif defined(ATTENTION_ISA_AVX2)
  return (Words)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (Words)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
  return (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
#endif
}

// words[i] = philox_word(seed, stream, 4 * block + i) for i < kWords.
static inline void random_words(uint64_t seed, uint64_t stream, uint64_t block, uint32_t* words) {
  Words number{};
  for (Index i = 0; i < kBlocks; ++i) number[i] = static_cast<uint64_t>(i);
  Words c0 = number + block, c1 = c0 >> 32, c2 = Words{} + stream, c3 = c2 >> 32;
  const Words factor0 = Words{} + 0xD2511F53u, factor1 = Words{} + 0xCD9E8D57u;
  uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const Words product0 = multiply_low(c0, factor0), product1 = multiply_low(c2, factor1);
    c0 = (product1 >> 32) ^ c1 ^ static_cast<uint64_t>(k0);
    c1 = product1;
    c2 = (product0 >> 32) ^ c3 ^ static_cast<uint64_t>(k1);
    c3 = product0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  // Words 0 and 1 of every block, and words 2 and 3; then block after block.
  const Words first = (c0 & 0xFFFFFFFFu) | (c1 << 32), second = (c2 & 0xFFFFFFFFu) | (c3 << 32);
  const Words all[] = {interleave_low(first, second), interleave_high(first, second)};
  __builtin_memcpy(words, all, sizeof all);
}

}  // namespace attn::ATTENTION_ISA_NAME
