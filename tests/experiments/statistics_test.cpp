#include "experiments/statistics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/check.h"
#include "base/random.h"

using namespace attn;

TEST_SUITE("experiments") {
  TEST_CASE("the sign-flip test by hand: 1, 2, 3 and -1 are as far from 0 with 6 of 16 signs") {
    // ±1 ±2 ±3 ±1 found: 5. At least as far: 7, 5 twice, and their negatives.
    CHECK(sign_flip_p({1, 2, 3, -1}) == doctest::Approx(6.0 / 16));
  }

  TEST_CASE("five seeds cannot reach 0.05, six can") {
    CHECK(sign_flip_p({1, 1, 1, 1, 1}) == doctest::Approx(0.0625));
    CHECK(sign_flip_p({1, 2, 0.5, 1, 3, 1e-9}) == doctest::Approx(0.03125));
    CHECK(sign_flip_p({-0.1, -0.7, -0.2, -0.3, -0.11, -0.13}) == doctest::Approx(0.03125));
    CHECK(sign_flip_p({0, 0, 0}) == 1);
    CHECK_THROWS_AS(sign_flip_p({}), Error);
    CHECK_THROWS_AS(sign_flip_p(std::vector<double>(21, 1.0)), Error);
  }

  TEST_CASE("where there is no difference, p is below 0.05 in one of twenty experiments") {
    int below = 0;
    constexpr int kExperiments = 2000;
    for (int e = 0; e < kExperiments; ++e) {
      const RandomStream random{7, static_cast<std::uint64_t>(e)};
      std::vector<double> differences;
      for (std::uint64_t i = 0; i < 8; ++i) differences.push_back(random.normal(i));
      below += sign_flip_p(differences) < 0.05;
    }
    // 12 of 256 choices; four standard deviations either side.
    constexpr double kShare = 12.0 / 256;
    const double deviation = 4 * std::sqrt(kExperiments * kShare * (1 - kShare));
    CHECK(std::abs(below - kExperiments * kShare) < deviation);
  }

  TEST_CASE("the bootstrap's interval is that of the normal distribution where values are many") {
    const RandomStream random{3, 0};
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 400; ++i) values.push_back(5 + 2 * random.normal(i));
    const double middle = mean(values);
    double squares = 0;
    for (const double v : values) squares += (v - middle) * (v - middle);
    const double half = 1.96 * std::sqrt(squares / 400 / 400);
    const Interval interval = bootstrap_interval(values);
    CHECK(std::abs(interval.low - (middle - half)) < 0.05 * half);
    CHECK(std::abs(interval.high - (middle + half)) < 0.05 * half);
    CHECK(bootstrap_interval({3, 3, 3}).low == 3);
    CHECK_THROWS_AS(bootstrap_interval({}), Error);
  }

  TEST_CASE("Holm's correction, as R's p.adjust computes it") {
    // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    const std::vector<double> corrected = holm({0.01, 0.04, 0.03, 0.005});
    const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(corrected[i] == doctest::Approx(expected[i]));
    }
    CHECK(holm({0.9, 0.8}) == std::vector<double>{1, 1});
    CHECK(holm({}).empty());
  }

  TEST_CASE("the exponent of a power law is its own, whatever the factor") {
    CHECK(fitted_exponent({1, 2, 4, 8}, {3, 12, 48, 192}) == doctest::Approx(2));
    CHECK(fitted_exponent({10, 20}, {5, 5}) == doctest::Approx(0));
    // Half-way between: the slope of least squares through (0, 0), (1, 2), (2, 1) is 1/2.
    const double e = std::exp(1.0);
    CHECK(fitted_exponent({1, e, e * e}, {1, e * e, e}) == doctest::Approx(0.5));
    CHECK(std::isnan(fitted_exponent({1, 2}, {0, 1})));
    CHECK_THROWS_AS(fitted_exponent({2, 2}, {1, 3}), Error);
    CHECK_THROWS_AS(fitted_exponent({2, 3}, {1}), Error);
  }
}
