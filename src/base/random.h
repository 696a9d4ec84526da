// Random numbers as a function: a value depends on (seed, stream, index) alone, so every thread,
// every resumed run and every backward pass can compute it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/philox.h"

namespace attn {

struct RandomStream {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;

  // Uniform in [0, 1), with 53 random bits.
  double uniform(std::uint64_t index) const;
  // Standard normal, by the Box–Muller transform.
  double normal(std::uint64_t index) const;
  // An integer in [0, n), n > 0; each has probability 1/n to within 2^-53.
  std::uint64_t below(std::uint64_t index, std::uint64_t n) const;
};

// All orders of items [begin, end) are equally likely; uses numbers begin … end − 1 of the stream.
void shuffle(std::vector<std::size_t>& items, std::size_t begin, std::size_t end,
             const RandomStream& random);

// A 64-bit hash of a text: FNV-1a, mixed. Names streams after parameters; splits data sets.
std::uint64_t hash(std::string_view bytes);
// A 64-bit number that depends on every bit of both.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

}  // namespace attn
