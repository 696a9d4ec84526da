// Philox4x32-10: random numbers without a state (Salmon et al., "Parallel Random Numbers: As Easy
// as 1, 2, 3", 2011). A block of four 32-bit numbers is a function of a 128-bit counter and a
// 64-bit key: ten rounds of two multiplications. So the i-th number takes as long as the first.
//
// Everything here is static: the file is also included by sources compiled for one instruction set.
#pragma once

#include <cstdint>

namespace attn {

struct PhiloxBlock {
  std::uint32_t word[4];
};

// The block at counter (index, stream) under key seed.
static inline PhiloxBlock philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  std::uint32_t c0 = static_cast<std::uint32_t>(index);
  std::uint32_t c1 = static_cast<std::uint32_t>(index >> 32);
  std::uint32_t c2 = static_cast<std::uint32_t>(stream);
  std::uint32_t c3 = static_cast<std::uint32_t>(stream >> 32);
  std::uint32_t k0 = static_cast<std::uint32_t>(seed);
  std::uint32_t k1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * c0;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * c2;
    c0 = static_cast<std::uint32_t>(product1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(product1);
    c2 = static_cast<std::uint32_t>(product0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(product0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// Number `index` of the sequence (seed, stream): word index % 4 of block index / 4.
static inline std::uint32_t philox_word(std::uint64_t seed, std::uint64_t stream,
                                        std::uint64_t index) {
  return philox(seed, stream, index / 4).word[index % 4];
}

}  // namespace attn
