// No distribution is assumed: values are drawn again from those found, or their signs are flipped.
#include "lab/experiments/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "base/check.h"
#include "base/random.h"

namespace attn {

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

Interval bootstrap_interval(const std::vector<double>& values, int samples, std::uint64_t seed) {
  ATTN_CHECK(!values.empty() && samples > 0, "the bootstrap needs values and samples, not ",
             values.size(), " and ", samples);
  std::vector<double> means;
  std::vector<double> sample(values.size());
  for (int s = 0; s < samples; ++s) {
    const RandomStream random{seed, static_cast<std::uint64_t>(s)};
    for (std::size_t i = 0; i < sample.size(); ++i) {
      sample[i] = values[static_cast<std::size_t>(random.below(i, values.size()))];
    }
    means.push_back(mean(sample));
  }
  std::sort(means.begin(), means.end());
  const std::size_t cut = means.size() / 40;
  return {means[cut], means[means.size() - 1 - cut]};
}

std::vector<double> sign_flip_p(const std::vector<std::vector<double>>& differences) {
  const std::size_t rows = differences.size();
  const std::size_t n = rows == 0 ? 1 : differences[0].size();
  ATTN_CHECK(n >= 1 && n <= 20, "the sign-flip test takes 1 to 20 differences, not ", n);
  for (const std::vector<double>& row : differences) {
    ATTN_CHECK_EQ(row.size(), n, "differences of a row");
  }
  const auto distance = [&](std::size_t row, std::size_t flipped) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = differences[row][i];
      sum += (flipped >> i & 1) != 0 ? -d : d;
      squares += d * d;
    }
    return squares == 0 ? 0 : std::abs(sum) / std::sqrt(squares);
  };
  std::vector<double> found;
  for (std::size_t row = 0; row < rows; ++row) found.push_back(distance(row, 0));
  std::vector<std::size_t> nearest_first(rows);
  std::iota(nearest_first.begin(), nearest_first.end(), std::size_t{0});
  std::stable_sort(nearest_first.begin(), nearest_first.end(),
                   [&](std::size_t a, std::size_t b) { return found[a] < found[b]; });

  const std::size_t choices = std::size_t{1} << n;
  std::vector<std::size_t> as_far(rows, 0);
  for (std::size_t flipped = 0; flipped < choices; ++flipped) {
    double farthest = 0;
    for (const std::size_t row : nearest_first) {
      farthest = std::max(farthest, distance(row, flipped));
      // The sums of the same numbers in another order may differ in their last digits.
      as_far[row] += farthest >= found[row] * (1 - 1e-12);
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

}  // namespace attn
