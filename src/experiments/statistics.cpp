#include "experiments/statistics.h"

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

double sign_flip_p(const std::vector<double>& differences) {
  const std::size_t n = differences.size();
  ATTN_CHECK(n >= 1 && n <= 20, "the sign-flip test takes 1 to 20 differences, not ", n);
  const auto sum = [&](std::size_t flipped) {
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      total += (flipped >> i & 1) != 0 ? -differences[i] : differences[i];
    }
    return std::abs(total);
  };
  // The sums of the same numbers in another order may differ in their last digits.
  const double found = sum(0) * (1 - 1e-12);
  const std::size_t choices = std::size_t{1} << n;
  std::size_t as_far = 0;
  for (std::size_t flipped = 0; flipped < choices; ++flipped) as_far += sum(flipped) >= found;
  return static_cast<double>(as_far) / static_cast<double>(choices);
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> corrected(p.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double times = static_cast<double>(p.size() - rank);
    largest = std::max(largest, std::min(1.0, times * p[order[rank]]));
    corrected[order[rank]] = largest;
  }
  return corrected;
}

}  // namespace attn
