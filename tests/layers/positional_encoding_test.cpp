#include "layers/positional_encoding.h"

#include <doctest/doctest.h>

#include <complex>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kEncodingRounding = sizeof(Real) == 8 ? 1e-12 : 1e-6;

std::vector<double> encoding(Index pos, Index d_model) {
  Tensor row = Tensor::uninitialised({d_model});
  sinusoidal_encoding(pos, d_model, row.data());
  std::vector<double> result;
  for (Index i = 0; i < d_model; ++i) result.push_back(static_cast<double>(row[i]));
  return result;
}

// The angle by which pair i turns from one position to the next, by repeated multiplication with
// 10000^(−2/d): another way than the code's.
double turn(Index i, Index d_model) {
  const double ratio = std::exp(-2 * std::log(10000.0) / static_cast<double>(d_model));
  double angle = 1;
  for (Index k = 0; k < i; ++k) angle *= ratio;
  return angle;
}

PositionalEncoding learned(Index max_positions, Index d_model) {
  PositionalEncoding pe(Positions::learned, max_positions, d_model);
  randomise(pe, 1);
  return pe;
}

}  // namespace

TEST_SUITE("3.5 positions") {
  TEST_CASE("PE with d = 4, position by position, as on the page") {
    // The two angles are pos and pos/100.
    for (const Index pos : {0, 1, 2, 3, 4}) {
      const std::vector<double> pe = encoding(pos, 4);
      const double p = static_cast<double>(pos);
      CHECK(pe[0] == doctest::Approx(std::sin(p)).epsilon(kEncodingRounding));
      CHECK(pe[1] == doctest::Approx(std::cos(p)).epsilon(kEncodingRounding));
      CHECK(pe[2] == doctest::Approx(std::sin(p / 100)).epsilon(kEncodingRounding));
      CHECK(pe[3] == doctest::Approx(std::cos(p / 100)).epsilon(kEncodingRounding));
    }
    CHECK(encoding(1, 4)[0] == doctest::Approx(0.8415).epsilon(1e-4));
    CHECK(100 * encoding(1, 4)[2] == doctest::Approx(1).epsilon(1e-4));
  }

  TEST_CASE("pair i of PE(pos) is e^(i·angle): one rotation to the power pos") {
    for (const Index d : {6, 512}) {
      for (const Index pos : {1, 7, 300}) {
        const std::vector<double> pe = encoding(pos, d);
        for (Index i = 0; 2 * i < d; ++i) {
          const std::complex<double> z =
              std::pow(std::polar(1.0, turn(i, d)), static_cast<double>(pos));
          CHECK(std::abs(pe[2 * i] - z.imag()) < 10 * kEncodingRounding);
          CHECK(std::abs(pe[2 * i + 1] - z.real()) < 10 * kEncodingRounding);
        }
      }
    }
  }

  TEST_CASE("wavelengths go from 2π to 2π·9647 for d = 512, a geometric series below 2π·10000") {
    // Pair 0 turns by one radian a position.
    const std::vector<double> first = encoding(1, 512);
    CHECK(std::atan2(first[0], first[1]) == doctest::Approx(1).epsilon(1e-6));
    // Pair 255 turns so slowly that a position far away is needed to see it.
    const std::vector<double> last = encoding(10000, 512);
    const double wavelength = 2 * kPi * 10000 / std::atan2(last[510], last[511]);
    CHECK(wavelength / (2 * kPi) == doctest::Approx(9647).epsilon(1e-4));
  }

  TEST_CASE("positions count from 0 in each sentence, and are added") {
    const PositionalEncoding pe(Positions::sinusoidal, 0, 6);
    Tensor x = Tensor::zeros({6, 6});
    x.fill(10);
    CHECK_THROWS_WITH_AS(pe.forward(x, {0, 4}),
                         "the offsets of sentences end with the number of their rows, 6, not 4",
                         Error);
    pe.forward(x, {0, 4, 4, 6});
    const Index positions[] = {0, 1, 2, 3, 0, 1};
    for (Index t = 0; t < 6; ++t) {
      const std::vector<double> expected = encoding(positions[t], 6);
      for (Index j = 0; j < 6; ++j) {
        CHECK(std::abs(static_cast<double>(x(t, j)) - 10 - expected[j]) < 10 * kEncodingRounding);
      }
    }
  }

  TEST_CASE("sinusoids have no last position: the table's end is not seen") {
    const PositionalEncoding pe(Positions::sinusoidal, 0, 6);
    Tensor x = Tensor::zeros({300, 6});
    pe.forward(x, {0, 300});
    for (const Index pos : {0, 255, 256, 299}) {
      Tensor row = Tensor::zeros({1, 6});
      pe.forward_at(pos, row);
      const std::vector<double> expected = encoding(pos, 6);
      for (Index j = 0; j < 6; ++j) {
        CHECK(x(pos, j) == row[j]);
        CHECK(static_cast<double>(row[j]) == expected[j]);
      }
    }
  }

  TEST_CASE("an odd d_model ends in a sine without its cosine") {
    const std::vector<double> pe = encoding(3, 5);
    CHECK(pe[4] ==
          doctest::Approx(std::sin(3 / std::pow(10000.0, 0.8))).epsilon(kEncodingRounding));
    Tensor guarded = Tensor::zeros({6});
    guarded[5] = 77;
    sinusoidal_encoding(3, 5, guarded.data());
    CHECK(guarded[5] == 77);
  }

  TEST_CASE("learned positions are rows of a table, and a longer sentence is an error") {
    const PositionalEncoding pe = learned(3, 5);
    Tensor x = Tensor::zeros({4, 5});
    pe.forward(x, {0, 3, 4});
    const Index positions[] = {0, 1, 2, 0};
    for (Index t = 0; t < 4; ++t) {
      for (Index j = 0; j < 5; ++j) CHECK(x(t, j) == pe.weight.value(positions[t], j));
    }
    CHECK_THROWS_WITH_AS(pe.forward(x, {0, 4}),
                         "the sentence is longer than the 3 positions that the model has learned",
                         Error);
    CHECK_THROWS_AS(pe.forward_at(3, x), Error);
  }

  TEST_CASE("offsets that do not cover the rows, and other widths, are refused; x is not changed") {
    PositionalEncoding sines(Positions::sinusoidal, 0, 6), rows = learned(9, 6);
    rows.weight.gradient = Tensor::zeros({9, 6});
    const Tensor before = random_tensor({4, 6}, 2);
    Tensor x = before, wide = Tensor::zeros({4, 7});
    for (PositionalEncoding* pe : {&sines, &rows}) {
      for (const Offsets& offsets : {Offsets{}, Offsets{0, 3}, Offsets{0, 5}, Offsets{1, 4},
                                     Offsets{0, 4, 3, 4}, Offsets{0, -1, 4}, Offsets{0, 9, 4}}) {
        CHECK_THROWS_AS(pe->forward(x, offsets), Error);
        CHECK_THROWS_AS(pe->backward(x, offsets), Error);
      }
      CHECK_THROWS_AS(pe->forward(wide, {0, 4}), Error);
      CHECK_THROWS_AS(pe->forward_at(0, wide), Error);
      Tensor none = Tensor::zeros({0, 5});
      CHECK_THROWS_AS(pe->forward_at(0, none), Error);
      CHECK_THROWS_AS(pe->forward_at(-1, x), Error);
    }
    CHECK(same(x, before));
    CHECK_THROWS_AS(rows.backward(wide, {0, 4}), Error);
    CHECK_THROWS_AS(rows.backward(Tensor::zeros({10, 6}), {0, 10}), Error);
    CHECK(sum_of_squares(rows.weight.gradient) == 0);
    rows.weight.gradient = {};
    CHECK_THROWS_AS(rows.backward(x, {0, 4}), Error);
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("C backpropagation") {
  TEST_CASE("learned positions: dPE agrees with finite differences over several sentences") {
    PositionalEncoding pe = learned(4, 3);
    const Offsets offsets = {0, 3, 4, 8};
    const Tensor dx = random_tensor({8, 3}, 2);
    pe.backward(dx, offsets);
    GradientCheck check;
    check.parameters("positions", pe);
    CHECK(check.errors([&] {
      Tensor x = random_tensor({8, 3}, 3);
      pe.forward(x, offsets);
      return weighted_sum(dx, x);
    }) == "");
  }
}
#endif
