#include "lab/experiments/statistics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/random.h"

using namespace attn;

namespace {

double alone(const std::vector<double>& differences) {
  return sign_flip_p({differences})[0];
}

}  // namespace

TEST_SUITE("experiments") {
  TEST_CASE("the sign-flip test by hand: 1, 2, 3 and -1 are as far from 0 with 6 of 16 signs") {
    // ±1 ±2 ±3 ±1 found: 5. At least as far: 7, 5 twice, and their negatives.
    CHECK(alone({1, 2, 3, -1}) == doctest::Approx(6.0 / 16));
  }

  TEST_CASE("five seeds cannot reach 0.05, six can") {
    CHECK(alone({1, 1, 1, 1, 1}) == doctest::Approx(0.0625));
    CHECK(alone({1, 2, 0.5, 1, 3, 1e-9}) == doctest::Approx(0.03125));
    CHECK(alone({-0.1, -0.7, -0.2, -0.3, -0.11, -0.13}) == doctest::Approx(0.03125));
    CHECK(alone({0, 0, 0}) == 1);
    CHECK_THROWS_AS(alone({}), Error);
    CHECK_THROWS_AS(sign_flip_p({{1, 2}, {1}}), Error);
    CHECK(sign_flip_p({}).empty());
    CHECK_THROWS_AS(alone(std::vector<double>(21, 1.0)), Error);
  }

  TEST_CASE("where there is no difference, p is below 0.05 in one of twenty experiments") {
    int below = 0;
    constexpr int kExperiments = 2000;
    for (int e = 0; e < kExperiments; ++e) {
      const RandomStream random{7, static_cast<std::uint64_t>(e)};
      std::vector<double> differences;
      for (std::uint64_t i = 0; i < 8; ++i) differences.push_back(random.normal(i));
      below += alone(differences) < 0.05;
    }
    // 12 of 256 choices; four standard deviations either side.
    constexpr double kShare = 12.0 / 256;
    const double deviation = 4 * std::sqrt(kExperiments * kShare * (1 - kShare));
    CHECK(std::abs(below - kExperiments * kShare) < deviation);
  }

  TEST_CASE("an interval's t encloses 95 % of Student's density, for 2 to 20 values") {
    for (int n = 2; n <= 20; ++n) {
      CAPTURE(n);
      std::vector<double> values(static_cast<std::size_t>(n), 5.0);
      values[0] = 4;
      values[1] = 6;
      const Interval interval = student_interval(values);
      CHECK((interval.low + interval.high) / 2 == doctest::Approx(5));
      // s² = 2/(n − 1)
      const double nu = n - 1, t = (interval.high - 5) * std::sqrt(n * nu / 2);
      const double scale =
          std::exp(std::lgamma((nu + 1) / 2) - std::lgamma(nu / 2)) / std::sqrt(nu * std::acos(-1));
      const auto density = [&](double x) {
        return scale * std::pow(1 + x * x / nu, -(nu + 1) / 2);
      };
      constexpr int kSteps = 10000;  // the midpoint rule
      double share = 0;
      for (int i = 0; i < kSteps; ++i) share += 2 * t / kSteps * density(t * (i + 0.5) / kSteps);
      CHECK(std::abs(share - 0.95) < 1e-5);
    }
    CHECK(student_interval({3, 3, 3}).low == 3);
    CHECK(student_interval({7}).high == 7);
    CHECK_THROWS_AS(student_interval({}), Error);
    CHECK_THROWS_AS(student_interval(std::vector<double>(21, 1.0)), Error);
  }

  TEST_CASE("of six values, the interval holds the mean in 95 of 100 cases") {
    constexpr int kCases = 4000;
    int held = 0;
    for (std::uint64_t c = 0; c < kCases; ++c) {
      const RandomStream random{4, c};
      std::vector<double> values;
      for (std::uint64_t i = 0; i < 6; ++i) values.push_back(5 + 2 * random.normal(i));
      const Interval interval = student_interval(values);
      held += interval.low <= 5 && 5 <= interval.high;
    }
    // A share of 0.95 of so many varies by 0.0034.
    CHECK(std::abs(static_cast<double>(held) / kCases - 0.95) < 0.014);
  }

  TEST_CASE("one variant with six seeds is found in 80 % of experiments from 1.79 deviations on") {
    // p is below 0.05 if all six signs agree: Φ(δ)⁶ = 0.8, apart from (1 − Φ(δ))⁶.
    CHECK(std::abs(detectable_difference(1, 6) - 1.792) < 0.1);
    CHECK(std::isinf(detectable_difference(3, 5)));
  }

  TEST_CASE("among more variants, and with fewer seeds, a difference has to be larger") {
    // By numpy, from other random numbers: 2.8 of 6, 3.9 of 25; 0.83 of one with twelve seeds.
    const double six = detectable_difference(6, 6), many = detectable_difference(25, 6);
    CHECK(std::abs(six - 2.8) < 0.2);
    CHECK(std::abs(many - 3.9) < 0.2);
    CHECK(std::abs(detectable_difference(1, 12) - 0.83) < 0.1);
  }

  TEST_CASE("several rows by hand: the farthest is found by chance as often as any of them is") {
    // |Σ d|/√(Σ d²): (3, 3, 3) is √3 away with 2 of 8 signs, and else 1/√3. (4, 1, 1) is
    // 6/√18 = √2 away with those 2, else 4/√18 with 4 of them, or 2/√18 with 2.
    CHECK(sign_flip_p({{3, 3, 3}, {4, 1, 1}}) == std::vector<double>{0.25, 0.25});
    // (1, −1, 1) is as far as √3 when the second sign changes, farther than the other two: so
    // each of them is reached with 4 of 8 signs.
    const std::vector<double> p = sign_flip_p({{1, -1, 1}, {4, 1, 1}, {3, 3, 3}});
    CHECK(p[2] == doctest::Approx(4.0 / 8));
    CHECK(p[1] == doctest::Approx(4.0 / 8));
    CHECK(p[0] == doctest::Approx(1));
  }

  TEST_CASE("where no variant differs, some p of many is below 0.05 in one of 32 experiments") {
    int together = 0, by_themselves = 0;
    constexpr int kExperiments = 1000, kVariants = 10;
    for (int e = 0; e < kExperiments; ++e) {
      const RandomStream random{8, static_cast<std::uint64_t>(e)};
      std::vector<std::vector<double>> differences(kVariants);
      std::uint64_t drawn = 0;
      for (auto& row : differences) {
        for (int seed = 0; seed < 6; ++seed) row.push_back(random.normal(drawn++));
      }
      const std::vector<double> p = sign_flip_p(differences);
      together += *std::min_element(p.begin(), p.end()) < 0.05;
      by_themselves += std::any_of(differences.begin(), differences.end(),
                                   [](const auto& row) { return alone(row) < 0.05; });
    }
    // 2 of 64 choices; and 1 − (1 − 1/32)^10 = 0.272. Four standard deviations either side.
    const auto near = [](int count, double share) {
      return std::abs(count - kExperiments * share) <
             4 * std::sqrt(kExperiments * share * (1 - share));
    };
    CHECK(near(together, 1.0 / 32));
    CHECK(near(by_themselves, 0.272));
  }

  TEST_CASE("a variant that differs much is found among many that do not") {
    const RandomStream random{9, 0};
    std::vector<std::vector<double>> differences(20);
    std::uint64_t drawn = 0;
    for (auto& row : differences) {
      for (int seed = 0; seed < 6; ++seed) row.push_back(random.normal(drawn++));
    }
    for (double& d : differences[7]) d += 30;
    const std::vector<double> p = sign_flip_p(differences);
    CHECK(p[7] == doctest::Approx(2.0 / 64));
    CHECK(p[3] > 0.05);
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
