// Uniform numbers are the generator's bits as a fraction; normal ones come from two uniform ones.
#include "base/random.h"

#include <cmath>
#include <utility>

namespace attn {

double RandomStream::uniform(std::uint64_t index) const {
  const PhiloxBlock block = philox(seed, stream, index);
  const std::uint64_t high = block.word[0], low = block.word[1];
  return static_cast<double>((high << 32 | low) >> 11) * 0x1p-53;
}

double RandomStream::normal(std::uint64_t index) const {
  const PhiloxBlock block = philox(seed, stream, index);
  // u1 in (0, 1], so that its logarithm is finite; u2 in [0, 1).
  const double u1 = (static_cast<double>(block.word[0]) + 1.0) * 0x1p-32;
  const double u2 = static_cast<double>(block.word[1]) * 0x1p-32;
  return std::sqrt(-2.0 * std::log(u1)) * std::cos(6.283185307179586 * u2);
}

std::uint64_t RandomStream::below(std::uint64_t index, std::uint64_t n) const {
  return static_cast<std::uint64_t>(uniform(index) * static_cast<double>(n));
}

// Fisher and Yates.
void shuffle(std::vector<std::size_t>& items, std::size_t begin, std::size_t end,
             const RandomStream& random) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t j = begin + static_cast<std::size_t>(random.below(i, i - begin + 1));
    std::swap(items[i], items[j]);
  }
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + 0x9E3779B97F4A7C15u * (b + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::uint64_t hash(std::string_view bytes) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const char byte : bytes) {
    h = (h ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
  }
  return mix(h, 0);
}

}  // namespace attn
