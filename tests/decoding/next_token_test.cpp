#include "decoding/next_token.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "support/compare.h"
#include "support/random_tensors.h"
#include "text/vocabulary.h"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<int> top(Index k, const std::vector<Real>& logits) {
  return top_tokens(k, static_cast<Index>(logits.size()), logits.data());
}

}  // namespace

TEST_SUITE("6.1 decoding") {
  TEST_CASE("the top tokens are the first of all tokens but <bos>, sorted by their logits") {
    for (const Index V : {1, 2, 255, 256, 257, 1000}) {
      for (const Index k : {1, 2, 4, 300, 1001}) {
        CAPTURE(V);
        CAPTURE(k);
        Tensor logits = random_tensor({V}, static_cast<std::uint64_t>(V), 1.0);
        // Coarse steps, so that many are equal; of those the smaller id is first.
        for (const bool coarse : {false, true}) {
          for (Index v = 0; coarse && v < V; ++v) logits[v] = std::floor(2 * logits[v]);
          std::vector<int> sorted(V);
          std::iota(sorted.begin(), sorted.end(), 0);
          sorted.erase(std::remove(sorted.begin(), sorted.end(), kBos), sorted.end());
          std::stable_sort(sorted.begin(), sorted.end(),
                           [&](int a, int b) { return logits[a] > logits[b]; });
          sorted.resize(std::min(static_cast<std::size_t>(k), sorted.size()));
          CHECK(top_tokens(k, V, logits.data()) == sorted);
        }
      }
    }
  }

  TEST_CASE("neither <unk>, where it may not be written, nor what cannot be is a top token") {
    const std::vector<Real> logits{9, 8, 1, 2};  // <unk>, <bos>, <eos> and a word
    CHECK(top_tokens(2, 4, logits.data()) == std::vector<int>{0, 3});
    CHECK(top_tokens(2, 4, logits.data(), false) == std::vector<int>{3, 2});
    CHECK(top(3, {2, 9, -kInfinity, 3}) == std::vector<int>{3, 0});
    CHECK_THROWS_WITH_AS(top(2, {-kInfinity, -kInfinity}),
                         doctest::Contains("no token a probability above 0"), Error);
  }

  TEST_CASE("one NaN or infinity is an error, wherever it is") {
    for (const Real wrong : {kNaN, kInfinity}) {
      for (const std::size_t place : {0u, 15u, 255u, 256u, 299u}) {
        CAPTURE(place);
        std::vector<Real> logits(300, 1);
        logits[7] = 5;
        logits[place] = wrong;
        CHECK_THROWS_WITH_AS(top(2, logits), doctest::Contains("not numbers"), Error);
      }
    }
  }
}
