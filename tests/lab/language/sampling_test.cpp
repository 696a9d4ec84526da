#include "lab/language/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "lab/support/predecessors_logits.h"
#include "support/compare.h"
#include "support/random_tensors.h"

using namespace attn;
using namespace attn::test;

namespace {

using Distribution = std::vector<TokenProbability>;

Distribution distribution(const SamplingOptions& options, const std::vector<Real>& logits) {
  return sampling_distribution(options, static_cast<Index>(logits.size()), logits.data());
}

// Logits with these probabilities: their logarithms, and 3, which a softmax does not see.
std::vector<Real> logits_of(const std::vector<double>& probabilities) {
  std::vector<Real> logits;
  for (const double p : probabilities) logits.push_back(static_cast<Real>(std::log(p) + 3));
  return logits;
}

// Of five tokens, out of order: their ids from the most probable are 3, 0, 4 and then 1 and 2
// alike.
const std::vector<double> kFive{0.25, 0.0625, 0.0625, 0.5, 0.125};

SamplingOptions with(double temperature, Index top_k, double top_p) {
  return {temperature, top_k, top_p};
}

void check_equal(const Distribution& found, const Distribution& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].token == expected[i].token);
    CHECK(found[i].p == doctest::Approx(expected[i].p).epsilon(1e-6));
  }
}

}  // namespace

TEST_SUITE("6.1 sampling") {
  TEST_CASE("temperature, top-k and top-p give the distributions computed by hand, in this order") {
    const std::vector<Real> five = logits_of(kFive);
    check_equal(distribution({}, five),
                {{3, 0.5}, {0, 0.25}, {4, 0.125}, {1, 0.0625}, {2, 0.0625}});
    // Squares: 64 + 16 + 4 + 1 + 1 = 86 parts.
    check_equal(distribution(with(0.5, kAnyLength, 1), five),
                {{3, 64 / 86.0}, {0, 16 / 86.0}, {4, 4 / 86.0}, {1, 1 / 86.0}, {2, 1 / 86.0}});
    // Roots: √8 + 2 + √2 + 1 + 1 = 8.2426.
    const double root = std::sqrt(2.0), roots = 4 + 3 * root;
    check_equal(
        distribution(with(2, kAnyLength, 1), five),
        {{3, 2 * root / roots}, {0, 2 / roots}, {4, root / roots}, {1, 1 / roots}, {2, 1 / roots}});
    // Three of sevenths.
    const Distribution three{{3, 4 / 7.0}, {0, 2 / 7.0}, {4, 1 / 7.0}};
    check_equal(distribution(with(1, 3, 1), five), three);
    // 0.5 + 0.25 reaches 0.7, and 0.5 + 0.25 + 0.125 reaches 0.85.
    const Distribution two{{3, 2 / 3.0}, {0, 1 / 3.0}};
    check_equal(distribution(with(1, kAnyLength, 0.7), five), two);
    check_equal(distribution(with(1, kAnyLength, 0.85), five), three);
    // After top-k, two of the sevenths do: 6/7 = 0.857.
    check_equal(distribution(with(1, 3, 0.85), five), two);
    // At temperature 2, two have 4.8284/8.2426 = 0.586 of 0.7, and three 0.757.
    const double those = 2 + 3 * root;
    check_equal(distribution(with(2, kAnyLength, 0.7), five),
                {{3, 2 * root / those}, {0, 2 / those}, {4, root / those}});
    check_equal(distribution(with(1, 1, 1), five), {{3, 1}});
    check_equal(distribution(with(1, kAnyLength, 1e-9), five), {{3, 1}});
  }

  TEST_CASE("of equally probable tokens the smaller id comes first, and stays") {
    const std::vector<Real> alike(4, 2);
    check_equal(distribution({}, alike), {{0, 0.25}, {1, 0.25}, {2, 0.25}, {3, 0.25}});
    check_equal(distribution(with(1, 2, 1), alike), {{0, 0.5}, {1, 0.5}});
    // Two quarters are a half exactly, and reach it.
    check_equal(distribution(with(1, kAnyLength, 0.5), alike), {{0, 0.5}, {1, 0.5}});
    check_equal(distribution(with(1, kAnyLength, std::nextafter(0.5, 1.0)), alike),
                {{0, 1 / 3.0}, {1, 1 / 3.0}, {2, 1 / 3.0}});
    check_equal(distribution(with(0, kAnyLength, 1), alike), {{0, 1}});
    check_equal(distribution(with(1, 4, 1), logits_of(kFive)),
                {{3, 8 / 15.0}, {0, 4 / 15.0}, {4, 2 / 15.0}, {1, 1 / 15.0}});
  }

  TEST_CASE("temperature 0, or hardly any, takes the most probable token, whatever else is asked") {
    const std::vector<Real> five = logits_of(kFive);
    for (const Index k : {Index{1}, Index{3}, kAnyLength}) {
      check_equal(distribution(with(0, k, 0.9), five), {{3, 1}});
    }
    check_equal(distribution(with(1, 5000, 1), five), distribution(with(1, kAnyLength, 1), five));
    const Distribution cold = distribution(with(1e-6, kAnyLength, 1), five);
    CHECK(cold[0].token == 3);
    CHECK(cold[0].p == 1);
  }

  TEST_CASE("top-p keeps the smallest set whose sum reaches P: no set of fewer tokens does") {
    constexpr Index V = 7;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Tensor logits = random_tensor({V}, seed, 1.5);
      double sum = 0;
      for (Index v = 0; v < V; ++v) sum += std::exp(static_cast<double>(logits[v]));
      for (const double P : {0.1, 0.5, 0.77, 0.9, 0.99}) {
        CAPTURE(seed);
        CAPTURE(P);
        // All sets, as bits.
        Index smallest = V;
        for (int set = 1; set < 1 << V; ++set) {
          double p = 0;
          Index size = 0;
          for (Index v = 0; v < V; ++v) {
            if ((set >> v & 1) == 0) continue;
            p += std::exp(static_cast<double>(logits[v])) / sum;
            ++size;
          }
          if (p >= P) smallest = std::min(smallest, size);
        }
        const Distribution kept = sampling_distribution(with(1, kAnyLength, P), V, logits.data());
        CHECK(static_cast<Index>(kept.size()) == smallest);
        // They reach it, and are in proportion to what they were.
        double reached = 0, one = 0;
        for (const auto& [token, p] : kept) {
          reached += std::exp(static_cast<double>(logits[token])) / sum;
          one += p;
        }
        CHECK(reached >= P);
        CHECK(one == doctest::Approx(1).epsilon(1e-12));
        for (const auto& [token, p] : kept) {
          CHECK(p * reached ==
                doctest::Approx(std::exp(static_cast<double>(logits[token])) / sum).epsilon(1e-9));
        }
      }
    }
  }

  TEST_CASE("a draw falls on each token exactly as often as its probability says") {
    // Probabilities that are sixteenths, and numbers u in the middle of each 16,000th.
    const Distribution five = distribution({}, logits_of(kFive));
    std::vector<int> counts(5);
    constexpr int n = 16000;
    for (int i = 0; i < n; ++i) ++counts[draw(five, (i + 0.5) / n)];
    CHECK(counts == std::vector<int>{4000, 1000, 1000, 8000, 2000});
    CHECK(draw(five, 0) == 3);
    CHECK(draw({{7, 1}}, std::nextafter(1.0, 0.0)) == 7);
    // Rounding may leave a sum below 1.
    CHECK(draw({{7, 0.5}, {8, 0.5 - 1e-16}}, std::nextafter(1.0, 0.0)) >= 7);
  }

  TEST_CASE("what cannot be is never drawn, and is no part of any sum") {
    const Distribution found =
        distribution({}, {-kInfinity, 1, -kInfinity, 1, -std::numeric_limits<Real>::max()});
    for (const double u : {0.0, 0.25, 0.5, 0.75, std::nextafter(1.0, 0.0)}) {
      CHECK(draw(found, u) == (u < 0.5 ? 1 : 3));
    }
    // The smallest temperatures are as good as 0.
    CHECK(draw(distribution(with(1e-308, kAnyLength, 1), {1, 1, 1 + Real(1e-6)}), 0.9) == 2);
  }

  TEST_CASE("impossible options and logits are errors") {
    const auto error = [](const SamplingOptions& options, const char* message) {
      CHECK_THROWS_WITH_AS(distribution(options, {1, 2}), doctest::Contains(message), Error);
    };
    for (const double wrong : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
      error(with(wrong, 1, 1), "the temperature must be a number from 0, not ");
    }
    error(with(1, 0, 1), "top-k must keep at least 1 token, not 0");
    for (const double wrong : {0.0, -1.0, 1.001, std::nan("")}) {
      error(with(1, 1, wrong), "top-p must be more than 0 and at most 1, not ");
    }
    CHECK_THROWS_AS(distribution({}, {1, std::numeric_limits<Real>::quiet_NaN()}), Error);
    CHECK_THROWS_AS(distribution({}, {-kInfinity}), Error);
  }
}
