// Vector kernels against plain loops, and those that measure the machine, on every instruction set,
// at sizes around the number of lanes.
#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/each_isa.h"
#include "support/compare.h"

using namespace attn;
using namespace attn::test;

namespace {

const Index kLengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 101};

// The distance between x and the truth in units of the truth's last place.
double ulps(Real x, long double truth) {
  const Real nearest = static_cast<Real>(truth);
  const Real next = std::nextafter(nearest, kInfinity);
  return static_cast<double>(std::abs(static_cast<long double>(x) - truth) /
                             (static_cast<long double>(next) - nearest));
}

}  // namespace

TEST_SUITE("kernels: vector") {
  TEST_CASE("add and scaled copy, in place too, are the plain loops, bit for bit") {
    on_each_isa([] {
      for (const Index n : kLengths) {
        CAPTURE(n);
        const std::vector<Real> x = numbers(n, 1), y = numbers(n, 2);
        const Real a = Real(0.3);
        std::vector<Real> sum = y, product = x;
        for (Index i = 0; i < n; ++i) sum[at(i)] += x[at(i)];
        for (Real& number : product) number *= a;
        CHECK(same_bits(changed(y, [&](Real* p) { kernels().vector_add(n, x.data(), p); }), sum));
        CHECK(same_bits(changed(x, [&](Real* p) { kernels().vector_scaled_copy(n, a, p, p); }),
                        product));
        CHECK(
            same_bits(changed(y, [&](Real* p) { kernels().vector_scaled_copy(n, a, x.data(), p); }),
                      product));
      }
    });
  }

  TEST_CASE("axpy, multiply_add: y + a x, y + a ⊙ x, rounded once where the processor can") {
#ifdef __MINGW32__
    return;  // its std::fma, which the results are compared with, rounds twice
#endif
    on_each_isa([] {
      const auto expected = [](Real a, Real x, Real y) {
        return isa_name() == "portable" ? a * x + y : std::fma(a, x, y);
      };
      for (const Index n : kLengths) {
        CAPTURE(n);
        const std::vector<Real> a = numbers(n, 1), x = numbers(n, 2), y = numbers(n, 3);
        const Real c = Real(0.3);
        std::vector<Real> sum = y, products = y;
        for (Index i = 0; i < n; ++i) {
          sum[at(i)] = expected(c, x[at(i)], y[at(i)]);
          products[at(i)] = expected(a[at(i)], x[at(i)], y[at(i)]);
        }
        CHECK(
            same_bits(changed(y, [&](Real* p) { kernels().vector_axpy(n, c, x.data(), p); }), sum));
        CHECK(same_bits(
            changed(y, [&](Real* p) { kernels().vector_multiply_add(n, a.data(), x.data(), p); }),
            products));
      }
    });
  }

  TEST_CASE("relu_backward clears the gradient where the output is not positive") {
    on_each_isa([] {
      for (const Index n : kLengths) {
        std::vector<Real> h = numbers(n, 1), dh = numbers(n, 2);
        for (Index i = 0; i < n; i += 3) h[at(i)] = i % 2 == 0 ? Real(0) : Real(-0.0);
        std::vector<Real> expected = dh;
        for (Index i = 0; i < n; ++i) expected[at(i)] = h[at(i)] > 0 ? dh[at(i)] : 0;
        CHECK(
            same_bits(changed(dh, [&](Real* p) { kernels().vector_relu_backward(n, h.data(), p); }),
                      expected));
      }
    });
  }

  TEST_CASE("the sum of squares is a double, the same on every instruction set") {
    for (const Index n : kLengths) {
      const std::vector<Real> x = numbers(n, 1);
      long double expected = 0;
      for (const Real number : x) expected += static_cast<long double>(number) * number;
      std::vector<double> sums;
      on_each_isa([&] {
        sums.push_back(kernels().vector_sum_of_squares(n, x.data()));
        CHECK(std::abs(sums.back() - static_cast<double>(expected)) <= 1e-14 * sums.back());
        CHECK(sums.back() == sums[0]);
      });
    }
    // 2²⁵ and a thousand ones: in float arithmetic the ones would be lost.
    std::vector<Real> x(1001, 1);
    x[0] = Real(1 << 25);
    CHECK(kernels().vector_sum_of_squares(1001, x.data()) == std::pow(2.0, 50) + 1000);
  }

  TEST_CASE("no vector kernel hides a NaN") {
    on_each_isa([] {
      const std::vector<Real> x(21, kNaN);
      const auto all_nan = [](const std::vector<Real>& y) {
        return std::all_of(y.begin(), y.end(), [](Real number) { return std::isnan(number); });
      };
      const std::vector<Real> ones(21, 1);
      CHECK(all_nan(changed(ones, [&](Real* p) { kernels().vector_add(21, x.data(), p); })));
      CHECK(all_nan(changed(ones, [&](Real* p) { kernels().vector_axpy(21, 0, x.data(), p); })));
      CHECK(all_nan(changed(x, [&](Real* p) { kernels().vector_scaled_copy(21, 0, p, p); })));
      CHECK(all_nan(changed(ones, [&](Real* p) { kernels().vector_exp(21, x.data(), p); })));
      CHECK(all_nan(changed(x, [&](Real* p) { kernels().vector_dropout(21, 1e-9, 1, 2, 3, p); })));
      CHECK(std::isnan(kernels().vector_sum_of_squares(21, x.data())));
    });
  }
}

TEST_SUITE("kernels: exp") {
  TEST_CASE("exp is within 2 units in the last place over its whole range") {
    const double low = sizeof(Real) == 4 ? -87.3 : -708.3, high = sizeof(Real) == 4 ? 88.7 : 709.7;
    const Index n = 20011;
    std::vector<Real> x(at(n));
    for (Index i = 0; i < n; ++i) {
      x[at(i)] = static_cast<Real>(low + (high - low) * static_cast<double>(i) / (n - 1));
    }
    for (Index i = 0; i < n; i += 2) x[at(i)] /= 512;  // as many near 0
    check_same_where_fused([&] {
      const std::vector<Real> y =
          changed(x, [&](Real* p) { kernels().vector_exp(n, x.data(), p); });
      double worst = 0;
      for (Index i = 0; i < n; ++i) {
        const double off = ulps(y[at(i)], std::exp(static_cast<long double>(x[at(i)])));
        if (!(off <= worst)) worst = off;
      }
      CHECK(worst <= 2);
      return y;
    });
  }

  TEST_CASE("exp is right where it ends: 0, 1, infinity, NaN") {
    on_each_isa([] {
      const Real over = sizeof(Real) == 4 ? Real(88.73) : Real(709.79);
      const Real under = sizeof(Real) == 4 ? Real(-104) : Real(-745.2);
      const Real most = std::numeric_limits<Real>::max();
      const std::vector<Real> x{0,    Real(-0.0), kInfinity, -kInfinity, kNaN,
                                over, under,      most,      -most};
      const std::vector<Real> y{1, 1, kInfinity, 0, kNaN, kInfinity, 0, kInfinity, 0};
      CHECK(same_bits(changed(x, [&](Real* p) { kernels().vector_exp(9, p, p); }), y));
    });
  }

  TEST_CASE("exp goes down gradually to the smallest number there is") {
    on_each_isa([] {
      for (double z = sizeof(Real) == 4 ? -103.2 : -744.4; z < (sizeof(Real) == 4 ? -87 : -708);
           z += 0.37) {
        const Real x = static_cast<Real>(z);
        Real y = 0;
        kernels().vector_exp(1, &x, &y);
        const long double truth = std::exp(static_cast<long double>(x));
        CHECK(y > 0);
        CHECK(std::abs(y - truth) <= std::numeric_limits<Real>::denorm_min() +
                                         4 * std::numeric_limits<Real>::epsilon() * truth);
      }
    });
  }
}

TEST_SUITE("kernels: dropout") {
  TEST_CASE("dropout keeps exactly what philox_word says, from any number on") {
    const std::uint64_t seed = 0x123456789abcdef0, stream = 0xfedcba9876543210;
    const std::uint64_t across = 4 * ((std::uint64_t{1} << 32) - 2);  // the counter carries
    const auto check = [&](Index n, double p, std::uint64_t first) {
      const std::vector<Real> x = numbers(n, 1);
      std::vector<Real> expected = x;
      for (Index i = 0; i < n; ++i) {
        const auto word = philox_word(seed, stream, first + static_cast<std::uint64_t>(i));
        const bool dropped = word < p * 4294967296.0;
        expected[at(i)] = dropped ? 0 : x[at(i)] * static_cast<Real>(1 / (1 - p));
      }
      const auto y =
          changed(x, [&](Real* q) { kernels().vector_dropout(n, p, seed, stream, first, q); });
      CHECK(same_bits(y, expected));
    };
    on_each_isa([&] {
      for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1000}, across}) {
        for (std::uint64_t shift = 0; shift < 4; ++shift) {
          for (const Index n : kLengths) check(n, 0.3, start + shift);
        }
      }
      check(1000, 0, 7);
      check(1000, 1 - 1e-12, 7);
    });
  }
}

TEST_SUITE("kernels: Adam") {
  TEST_CASE("adam is the algorithm's six lines, bit for bit on every instruction set") {
    const AdamStep step{Real(0.01), Real(0.9), Real(0.98), Real(1e-9),
                        Real(3.1),  Real(7.3), Real(0.5)};
    for (const Index n : kLengths) {
      const std::vector<Real> g = numbers(n, 1), w = numbers(n, 2), m = numbers(n, 3);
      std::vector<Real> v = numbers(n, 4);
      for (Real& number : v) number *= number;
      std::vector<Real> w1 = w, m1 = m, v1 = v;
      for (std::size_t i = 0; i < at(n); ++i) {
        const Real gradient = g[i] * step.gradient_scale;
        m1[i] = step.beta1 * m[i] + (1 - step.beta1) * gradient;
        v1[i] = step.beta2 * v[i] + (1 - step.beta2) * (gradient * gradient);
        w1[i] = w[i] - step.rate * (m1[i] * step.correction1) /
                           (std::sqrt(v1[i] * step.correction2) + step.epsilon);
      }
      on_each_isa([&] {
        std::vector<Real> w2, m2, v2;
        w2 = changed(w, [&](Real* a) {
          m2 = changed(m, [&](Real* b) {
            v2 = changed(v, [&](Real* c) { kernels().vector_adam(n, step, g.data(), a, b, c); });
          });
        });
        CHECK(same_bits(w2, w1));
        CHECK(same_bits(m2, m1));
        CHECK(same_bits(v2, v1));
      });
    }
  }

  TEST_CASE("a moment without gradient fades to 0, through no denormal number, and a NaN stays") {
    const Real least = std::numeric_limits<Real>::min();
    const AdamStep step{Real(0.01), Real(0.9), Real(0.98), Real(1e-9), 1, 1, 1};
    on_each_isa([&] {
      const std::vector<Real> g(21, 0);
      std::vector<Real> w(21, 1), m(21, 100 * least), v(21, 3 * least);
      for (std::size_t i = 0; i < 21; i += 2) m[i] = -m[i];
      m[20] = v[20] = kNaN;
      for (int t = 0; t < 100; ++t) {
        kernels().vector_adam(21, step, g.data(), w.data(), m.data(), v.data());
        for (const std::vector<Real>& moments : {m, v}) {
          for (std::size_t i = 0; i < 20; ++i) {
            REQUIRE((moments[i] == 0 || std::abs(moments[i]) >= least));
          }
          REQUIRE(std::isnan(moments[20]));
        }
      }
      CHECK(std::count(m.begin(), m.end(), Real(0)) == 20);
      CHECK(std::count(v.begin(), v.end(), Real(0)) == 20);
    });
  }
}

TEST_SUITE("kernels: peak") {
  TEST_CASE("the multiply-adds are done: every chain x/2 + 1 ends at 2") {
    on_each_isa([] {
      Real sink = 0;
      const double operations = kernels().peak_multiply_adds(100, &sink);
      CHECK(sink == doctest::Approx(2 * 12));
      // Two for each of 12 chains and each lane of a vector.
      CHECK(operations >= 100 * 2 * 12 * 16 / static_cast<double>(sizeof(Real)));
      CHECK(kernels().peak_multiply_adds(300, &sink) == 3 * operations);
    });
  }

  TEST_CASE("the stream reads every number") {
    on_each_isa([] {
      for (const Index n : {0, 1, 15, 16, 17, 63, 64, 65, 127, 130, 1000}) {
        CAPTURE(n);
        const std::vector<Real> x = numbers(n, 1);
        double sum = 0;
        for (const Real value : x) sum += static_cast<double>(value);
        CHECK(static_cast<double>(kernels().stream_sum(n, x.data())) ==
              doctest::Approx(sum).epsilon(1e-4).scale(10));
      }
    });
  }
}
