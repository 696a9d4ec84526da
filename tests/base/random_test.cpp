#include "base/random.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace attn;

namespace {
std::array<std::uint32_t, 4> words(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const PhiloxBlock block = philox(seed, stream, index);
  return {block.word[0], block.word[1], block.word[2], block.word[3]};
}
using Four = std::array<std::uint32_t, 4>;
}  // namespace

TEST_SUITE("base: random") {
  // The vectors of philox4x32 with 10 rounds in the authors' own test data (Random123,
  // kat_vectors). Counter words 0 and 1 are the index, 2 and 3 the stream; the key is the seed, low
  // word first.
  TEST_CASE("Philox4x32-10 gives the published values") {
    CHECK(words(0, 0, 0) == Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    const std::uint64_t ones = ~std::uint64_t{0};
    CHECK(words(ones, ones, ones) == Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(words(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88) ==
          Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  }

  TEST_CASE("philox_word counts through the words of the blocks") {
    for (std::uint64_t i = 0; i < 40; ++i) {
      CHECK(philox_word(7, 8, i) == words(7, 8, i / 4)[i % 4]);
    }
  }

  TEST_CASE(
      "uniform numbers are in [0, 1), and have the moments they should have; normal ones as well") {
    const int n = 20000;
    double mean = 0, variance = 0, normal[5] = {};
    for (std::uint64_t i = 0; i < n; ++i) {
      const double u = RandomStream{3, 4}.uniform(i), z = RandomStream{5, 6}.normal(i);
      REQUIRE(u >= 0);
      REQUIRE(u < 1);
      mean += u / n;
      variance += (u - 0.5) * (u - 0.5) / n;
      REQUIRE(std::isfinite(z));
      for (int k = 1; k <= 4; ++k) normal[k] += std::pow(z, k) / n;
    }
    // Five standard deviations of each mean.
    CHECK(std::abs(mean - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
    CHECK(std::abs(variance - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / n));
    CHECK(std::abs(normal[1]) < 5 * std::sqrt(1.0 / n));
    CHECK(std::abs(normal[2] - 1) < 5 * std::sqrt(2.0 / n));
    CHECK(std::abs(normal[3]) < 5 * std::sqrt(15.0 / n));
    CHECK(std::abs(normal[4] - 3) < 5 * std::sqrt(96.0 / n));
  }

  TEST_CASE("numbers below n are all of 0 to n - 1, about equally often") {
    const RandomStream random{9, 1};
    std::vector<int> count(7, 0);
    for (std::uint64_t i = 0; i < 7000; ++i) {
      const std::uint64_t number = random.below(i, 7);
      REQUIRE(number < 7);
      ++count[number];
    }
    for (const int c : count) CHECK(std::abs(c - 1000) < 5 * std::sqrt(1000 * 6.0 / 7));
    CHECK(random.below(0, 1) == 0);
  }
}
