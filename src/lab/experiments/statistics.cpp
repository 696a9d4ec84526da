// The sign-flip test assumes no distribution; the interval and the power, a normal one.
#include "lab/experiments/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "base/random.h"

namespace attn {

namespace {

// The 97.5 % quantiles of Student's distribution with 1, 2, … degrees of freedom.
constexpr double kStudent[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                               2.3060,  2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
                               2.1314,  2.1199, 2.1098, 2.1009, 2.0930};

// |Σ ±d|/√(Σ d²) for each choice of signs, the one found first. The last d keeps its sign: all
// signs flipped give the same distance.
std::vector<double> distances(const std::vector<double>& differences) {
  std::vector<double> sums{std::accumulate(differences.begin(), differences.end(), 0.0)};
  double squares = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    squares += differences[i] * differences[i];
    const std::size_t before = i + 1 < differences.size() ? sums.size() : 0;
    for (std::size_t j = 0; j < before; ++j) sums.push_back(sums[j] - 2 * differences[i]);
  }
  for (double& sum : sums) sum = squares == 0 ? 0 : std::abs(sum) / std::sqrt(squares);
  return sums;
}

// The step-down of Westfall & Young, given the distances of every row for the same choices of
// signs.
std::vector<double> step_down_p(const std::vector<std::vector<double>>& reached) {
  const std::size_t rows = reached.size();
  std::vector<std::size_t> nearest_first(rows);
  std::iota(nearest_first.begin(), nearest_first.end(), std::size_t{0});
  std::stable_sort(nearest_first.begin(), nearest_first.end(),
                   [&](std::size_t a, std::size_t b) { return reached[a][0] < reached[b][0]; });

  const std::size_t choices = rows == 0 ? 0 : reached[0].size();
  std::vector<double> farthest(choices, 0);  // of the rows so far, for each choice
  std::vector<std::size_t> as_far(rows, 0);
  for (const std::size_t row : nearest_first) {
    for (std::size_t choice = 0; choice < choices; ++choice) {
      farthest[choice] = std::max(farthest[choice], reached[row][choice]);
      // The sums of the same numbers in another order may differ in their last digits.
      as_far[row] += farthest[choice] >= reached[row][0] - 1e-12;
    }
  }
  // No row has a smaller p than one that is farther from 0.
  std::vector<double> p(rows);
  double least = 0;
  for (auto row = nearest_first.rbegin(); row != nearest_first.rend(); ++row) {
    least = std::max(least, static_cast<double>(as_far[*row]) / static_cast<double>(choices));
    p[*row] = least;
  }
  return p;
}

}  // namespace

double mean(const std::vector<double>& values) {
  ATTN_CHECK(!values.empty(), "the mean of no values");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  ATTN_CHECK_EQ(x.size(), y.size(), "sizes and costs");
  std::vector<double> u, v;
  for (std::size_t i = 0; i < x.size(); ++i) {
    u.push_back(std::log(x[i]));
    v.push_back(y[i] > 0 ? std::log(y[i]) : std::nan(""));
  }
  const double u_mean = mean(u), v_mean = mean(v);
  double covariance = 0, variance = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    covariance += (u[i] - u_mean) * (v[i] - v_mean);
    variance += (u[i] - u_mean) * (u[i] - u_mean);
  }
  ATTN_CHECK(variance > 0, "an exponent needs two different sizes");
  return covariance / variance;
}

double standard_deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(values.size() - 1, 1)));
}

Interval student_interval(const std::vector<double>& values) {
  const std::size_t n = values.size();
  ATTN_CHECK(n >= 1 && n <= 1 + std::size(kStudent), "an interval of ", n, " values");
  const double t = n == 1 ? 0 : kStudent[n - 2];
  const double half = t * standard_deviation(values) / std::sqrt(static_cast<double>(n));
  return {mean(values) - half, mean(values) + half};
}

std::vector<double> sign_flip_p(const std::vector<std::vector<double>>& differences) {
  const std::size_t rows = differences.size();
  const std::size_t n = rows == 0 ? 1 : differences[0].size();
  ATTN_CHECK(n >= 1 && n <= 20, "the sign-flip test takes 1 to 20 differences, not ", n);
  for (const std::vector<double>& row : differences) {
    ATTN_CHECK_EQ(row.size(), n, "differences of a row");
  }
  std::vector<std::vector<double>> reached;
  for (const std::vector<double>& row : differences) reached.push_back(distances(row));
  return step_down_p(reached);
}

double detectable_difference(std::size_t rows, std::size_t seeds) {
  std::vector<double> needed;
  for (std::uint64_t experiment = 0; experiment < 1000; ++experiment) {
    const RandomStream random{5, experiment};
    std::vector<std::vector<double>> differences(rows, std::vector<double>(seeds));
    for (std::size_t i = 0; i < rows * seeds; ++i) {
      const double baseline = random.normal(rows * seeds + i % seeds);
      differences[i / seeds][i % seeds] = (random.normal(i) - baseline) / std::sqrt(2.0);
    }
    std::vector<std::vector<double>> reached;
    for (const std::vector<double>& row : differences) reached.push_back(distances(row));
    double low = 0, high = 64;
    while (high - low > 0.02) {
      const double middle = (low + high) / 2;
      std::vector<double> shifted = differences[0];
      for (double& d : shifted) d += middle;
      reached[0] = distances(shifted);
      (step_down_p(reached)[0] < 0.05 ? high : low) = middle;
    }
    needed.push_back(high);
  }
  std::sort(needed.begin(), needed.end());
  return needed[800] < 64 ? needed[800] : std::numeric_limits<double>::infinity();
}

}  // namespace attn
