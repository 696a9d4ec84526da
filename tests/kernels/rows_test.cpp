// Row kernels against plain loops in double, at sizes around the number of lanes.
#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/each_isa.h"
#include "support/compare.h"

using namespace attn;
using namespace attn::test;

namespace {

const Index kSizes[] = {1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 47, 64, 101, 1009};

Index size(const std::vector<Real>& x) {
  return x.size();
}
double error(const std::vector<Real>& a, const std::vector<double>& b) {
  return a.size() == b.size() ? relative_error(size(a), a.data(), b.data())
                              : std::numeric_limits<double>::infinity();
}

std::vector<Real> scaled(std::vector<Real> x, Real factor) {
  for (Real& number : x) number *= factor;
  return x;
}

std::vector<double> softmax(const std::vector<Real>& x, double scale) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const Real number : x) most = std::max(most, scale * number);
  std::vector<double> p;
  for (const Real number : x) p.push_back(std::exp(scale * number - most));
  for (const double number : p) sum += number;
  for (double& number : p) number /= sum;
  return p;
}

}  // namespace

TEST_SUITE("kernels: softmax") {
  TEST_CASE("softmax_row equals the definition at every size") {
    for (const Index n : kSizes) {
      CAPTURE(n);
      const std::vector<Real> x = scaled(numbers(n, 1), 5);
      const Real scale = static_cast<Real>(0.37);
      check_same_where_fused([&] {
        const auto p = changed(x, [&](Real* row) { kernels().softmax_row(n, scale, row); });
        CHECK(error(p, softmax(x, static_cast<double>(scale))) <= kRounding);
        return p;
      });
    }
  }

  TEST_CASE("large scores do not overflow, −∞ has probability 0, and nothing but −∞ gives zeros") {
    on_each_isa([&] {
      std::vector<Real> p{10000, 9999, -10000};
      kernels().softmax_row(3, 1, p.data());
      CHECK(std::abs(p[0] - Real(0.7310585786300049)) <= 1e-6);
      CHECK(std::abs(p[1] - Real(0.2689414213699951)) <= 1e-6);
      CHECK(p[2] == 0);
      p.assign(21, Real(0.5));
      p[3] = p[20] = -kInfinity;
      kernels().softmax_row(21, 2, p.data());
      CHECK(p[3] == 0);
      CHECK(p[20] == 0);
      CHECK(std::abs(p[0] - Real(1.0 / 19)) <= 1e-7);
      for (const Index n : {1, 5, 16, 40}) {
        p.assign(at(n), -kInfinity);
        kernels().softmax_row(n, 1, p.data());
        CHECK(p == std::vector<Real>(at(n), 0));
      }
    });
  }

  TEST_CASE("a NaN or plus infinity among the scores shows in the result") {
    on_each_isa([&] {
      for (const Index position : {0, 7, 16, 20}) {
        for (const Real poison : {kNaN, kInfinity}) {
          std::vector<Real> p = numbers(21, 2);
          p[at(position)] = poison;
          kernels().softmax_row(21, 1, p.data());
          CHECK(std::isnan(p[at(position)]));
          // With all others at minus infinity, too.
          std::fill(p.begin(), p.end(), -kInfinity);
          p[at(position)] = poison;
          kernels().softmax_row(21, 1, p.data());
          CHECK(std::isnan(p[at(position)]));
        }
      }
    });
  }

  TEST_CASE("softmax_row_backward equals p (dp - sum(p dp)) times the scale") {
    for (const Index n : kSizes) {
      CAPTURE(n);
      const Real scale = static_cast<Real>(0.37);
      std::vector<Real> p = scaled(numbers(n, 3), 2), dp = numbers(n, 4);
      kernels().softmax_row(n, 1, p.data());
      double dot = 0;
      std::vector<double> expected;
      for (Index j = 0; j < n; ++j) dot += static_cast<double>(p[at(j)]) * dp[at(j)];
      for (Index j = 0; j < n; ++j) expected.push_back(scale * (p[at(j)] * (dp[at(j)] - dot)));
      // With one element the true gradient is 0.
      check_same_where_fused([&] {
        Guarded guarded_p(p);
        const auto ds = changed(dp, [&](Real* row) {
          kernels().softmax_row_backward(n, scale, guarded_p.data(), row);
        });
        if (n > 1) CHECK(error(ds, expected) <= 10 * kRounding);
        return ds;
      });
    }
  }

  TEST_CASE("log_softmax_row is the logarithm of softmax, far below the smallest number too") {
    for (const Index n : kSizes) {
      CAPTURE(n);
      const std::vector<Real> x = scaled(numbers(n, 7), 300);
      long double most = -1e9L, sum = 0;
      for (const Real number : x) most = std::max(most, static_cast<long double>(number));
      for (const Real number : x) sum += std::exp(number - most);
      std::vector<double> expected;
      for (const Real number : x) {
        expected.push_back(static_cast<double>(number - most - std::log(sum)));
      }
      check_same_where_fused([&] {
        const auto y = changed(x, [&](Real* row) { kernels().log_softmax_row(n, row); });
        CHECK(error(y, expected) <= kRounding);
        return y;
      });
    }
  }
}

TEST_SUITE("kernels: layer norm") {
  TEST_CASE("layer_norm_rows equals the definition at every size, in place too") {
    const Index rows = 3;
    for (const Index n : kSizes) {
      CAPTURE(n);
      const std::vector<Real> x = numbers(rows * n, 1), gamma = numbers(n, 2), beta = numbers(n, 3);
      const double epsilon = 1e-3;
      std::vector<double> expected_y, expected_hat, expected_mean, expected_inverse;
      for (Index i = 0; i < rows; ++i) {
        double mean = 0, variance = 0;
        for (Index j = 0; j < n; ++j) mean += x[at(i * n + j)] / static_cast<double>(n);
        for (Index j = 0; j < n; ++j) {
          variance += std::pow(x[at(i * n + j)] - mean, 2) / static_cast<double>(n);
        }
        expected_mean.push_back(mean);
        expected_inverse.push_back(1 / std::sqrt(variance + epsilon));
        for (Index j = 0; j < n; ++j) {
          expected_hat.push_back((x[at(i * n + j)] - mean) * expected_inverse.back());
          expected_y.push_back(gamma[at(j)] * expected_hat.back() + beta[at(j)]);
        }
      }
      if (n == 1) expected_hat.assign(at(rows), 0);
      check_same_where_fused([&] {
        Guarded x_hat(std::vector<Real>(at(rows * n))), y(std::vector<Real>(at(rows * n)));
        Guarded mean(std::vector<Real>(at(rows))), inv_std(std::vector<Real>(at(rows)));
        Guarded input(x), g(gamma), b(beta);
        kernels().layer_norm_rows(rows, n, static_cast<Real>(epsilon), input.data(), g.data(),
                                  b.data(), x_hat.data(), mean.data(), inv_std.data(), y.data());
        CHECK(error(x_hat.row(), expected_hat) <= kRounding);
        CHECK(error(y.row(), expected_y) <= kRounding);
        CHECK(error(inv_std.row(), expected_inverse) <= kRounding);
        CHECK(error(mean.row(), expected_mean) <= kRounding);
        CHECK((x_hat.intact() && y.intact() && mean.intact() && inv_std.intact()));

        Guarded in_place(x), again(y.row());
        kernels().layer_norm_rows(rows, n, static_cast<Real>(epsilon), in_place.data(), g.data(),
                                  b.data(), in_place.data(), mean.data(), inv_std.data(),
                                  again.data());
        CHECK(same_bits(in_place.row(), x_hat.row()));
        CHECK(same_bits(again.row(), y.row()));
        return y.row();
      });
    }
  }

  TEST_CASE("a NaN in a row makes that row NaN and no other") {
    on_each_isa([&] {
      const Index n = 21;
      std::vector<Real> x = numbers(2 * n, 1), x_hat(at(2 * n)), y(at(2 * n)), mean(2), inv_std(2);
      const std::vector<Real> gamma(at(n), 1), beta(at(n), 0);
      x[20] = kNaN;
      kernels().layer_norm_rows(2, n, 1, x.data(), gamma.data(), beta.data(), x_hat.data(),
                                mean.data(), inv_std.data(), y.data());
      CHECK(std::all_of(y.begin(), y.begin() + n, [](Real v) { return std::isnan(v); }));
      CHECK(std::all_of(y.begin() + n, y.end(), [](Real v) { return std::isfinite(v); }));
    });
  }

  TEST_CASE("layer_norm_rows_backward equals its formula, in place too, and sums to zero") {
    const Index rows = 3;
    for (const Index n : kSizes) {
      CAPTURE(n);
      const std::vector<Real> x = numbers(rows * n, 1), gamma = numbers(n, 2), beta(at(n), 0);
      const std::vector<Real> dy = numbers(rows * n, 4), ones(at(n), 1);
      std::vector<Real> x_hat(at(rows * n)), y(at(rows * n)), means(at(rows)), inv_std(at(rows));
      kernels().layer_norm_rows(rows, n, Real(1e-5), x.data(), gamma.data(), beta.data(),
                                x_hat.data(), means.data(), inv_std.data(), y.data());
      std::vector<double> expected;
      for (Index i = 0; i < rows; ++i) {
        double mean = 0, mean_x = 0;
        for (Index j = 0; j < n; ++j) {
          const double g = static_cast<double>(gamma[at(j)]) * dy[at(i * n + j)];
          mean += g / static_cast<double>(n);
          mean_x += g * x_hat[at(i * n + j)] / static_cast<double>(n);
        }
        for (Index j = 0; j < n; ++j) {
          const double g = static_cast<double>(gamma[at(j)]) * dy[at(i * n + j)];
          expected.push_back(inv_std[at(i)] * (g - mean - x_hat[at(i * n + j)] * mean_x));
        }
      }
      check_same_where_fused([&] {
        Guarded gradient(dy), g(gamma), hat(x_hat), dx(dy);
        kernels().layer_norm_rows_backward(rows, n, gradient.data(), g.data(), hat.data(),
                                           inv_std.data(), dx.data());
        CHECK(dx.intact());
        if (n > 2) CHECK(error(dx.row(), expected) <= 10 * kRounding);
        kernels().layer_norm_rows_backward(rows, n, gradient.data(), g.data(), hat.data(),
                                           inv_std.data(), gradient.data());
        CHECK(same_bits(gradient.row(), dx.row()));
        return dx.row();
      });
    }
  }
}

TEST_SUITE("kernels: cross-entropy") {
  TEST_CASE("loss and gradient equal the definition") {
    for (const Index n : kSizes) {
      for (const double epsilon : {0.0, 0.1, 0.5}) {
        CAPTURE(n);
        CAPTURE(epsilon);
        const Index target = n * 2 / 3;
        const Real scale = Real(0.25);
        const std::vector<Real> x = scaled(numbers(n, 9), 6);
        const std::vector<double> p = softmax(x, 1);
        double log_loss = 0, smoothed = 0;
        std::vector<double> gradient;
        for (Index j = 0; j < n; ++j) {
          const double q = (j == target ? 1 - epsilon : 0) + epsilon / static_cast<double>(n);
          smoothed -= q * std::log(p[at(j)]);
          if (j == target) log_loss = -std::log(p[at(j)]);
          gradient.push_back(scale * (p[at(j)] - q));
        }
        const Real smoothing = static_cast<Real>(epsilon);
        check_same_where_fused([&] {
          RowLoss loss;
          const auto unchanged = changed(x, [&](Real* row) {
            loss = kernels().cross_entropy_row(n, target, smoothing, row, 1, nullptr);
          });
          CHECK(same_bits(unchanged, x));
          CHECK(std::abs(loss.log - log_loss) <= kRounding * (1 + log_loss));
          CHECK(std::abs(loss.smoothed - smoothed) <= kRounding * (1 + smoothed));
          RowLoss again;
          const auto dx = changed(x, [&](Real* row) {
            again = kernels().cross_entropy_row(n, target, smoothing, row, scale, row);
          });
          CHECK(again.log == loss.log);
          CHECK(again.smoothed == loss.smoothed);
          if (n > 1) CHECK(error(dx, gradient) <= kRounding);
          return dx;
        });
      }
    }
  }

  TEST_CASE("logits far from zero keep the loss's digits") {
    on_each_isa([&] {
      // ln(1 + e⁻¹ + e⁻²) for the logits 3, 2, 1, and the same 4096 higher.
      for (const Real offset : {Real(0), Real(4096), Real(-4096)}) {
        std::vector<Real> x{offset + 3, offset + 2, offset + 1};
        const RowLoss loss = kernels().cross_entropy_row(3, 0, 0, x.data(), 0, nullptr);
        CHECK(std::abs(loss.log - 0.4076059644443804) <= 1e-6);
        CHECK(loss.smoothed == loss.log);
        CHECK(std::abs(kernels().cross_entropy_row(3, 0, Real(0.3), x.data(), 0, nullptr).smoothed -
                       0.7076059644) <= 1e-6);
      }
    });
  }

  TEST_CASE("a NaN among the logits shows in the loss and in the gradient") {
    on_each_isa([&] {
      for (const Index position : {0, 5, 20}) {
        std::vector<Real> x = numbers(21, 3);
        x[at(position)] = kNaN;
        const RowLoss loss = kernels().cross_entropy_row(21, 5, Real(0.1), x.data(), 1, x.data());
        CHECK(std::isnan(loss.log));
        CHECK(std::isnan(loss.smoothed));
        CHECK(std::isnan(x[at(position)]));
      }
    });
  }
}

TEST_SUITE("kernels: the largest") {
  TEST_CASE("a target is right if it is the first of the largest, at every position") {
    on_each_isa([&] {
      const auto right = [](const std::vector<Real>& x, Index target) {
        return kernels().cross_entropy_row(size(x), target, 0, x.data(), 0, nullptr).right;
      };
      for (const Index n : {1, 2, 15, 16, 17, 40}) {
        for (Index position = 0; position < n; ++position) {
          std::vector<Real> x = numbers(n, 1);
          x[at(position)] = 2;
          if (position + 1 < n) x[at(n - 1)] = 2;
          for (Index target = 0; target < n; ++target) {
            CHECK(right(x, target) == (target == position));
          }
        }
      }
      const std::vector<Real> low(40, -kInfinity);
      CHECK(right(low, 0));
      CHECK(!right(low, 1));
      CHECK(right({kNaN, 1, 3, kNaN, 2}, 2));  // NaNs are passed over
    });
  }

  TEST_CASE("largest_row is the largest, and NaN where one is NaN or infinite") {
    on_each_isa([&] {
      for (const Index n : {1, 2, 15, 16, 17, 40}) {
        for (Index position = 0; position < n; ++position) {
          // Below zero, so that no zero of what is beyond the row can be the largest.
          std::vector<Real> x(at(n), -3);
          x[at(position)] = -2;
          Guarded row(x);
          CHECK(kernels().largest_row(n, row.data()) == -2);
          row.data()[position] = kNaN;
          CHECK(std::isnan(kernels().largest_row(n, row.data())));
          row.data()[position] = kInfinity;
          CHECK(!(kernels().largest_row(n, row.data()) < kInfinity));
          row.data()[position] = -kInfinity;
          CHECK(kernels().largest_row(n, row.data()) == (n == 1 ? -kInfinity : -3));
        }
      }
    });
  }
}
