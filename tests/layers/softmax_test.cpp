#include "layers/softmax.h"

#include <doctest/doctest.h>

#include "support/compare.h"
#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

Tensor softmax_of(Tensor S, double scale = 1, Mask mask = Mask::none) {
  softmax(S, static_cast<Real>(scale), mask);
  return S;
}

double row_sum(const Tensor& x, Index i) {
  double sum = 0;
  for (Index j = 0; j < x.cols(); ++j) sum += static_cast<double>(x(i, j));
  return sum;
}

constexpr double kSoftmaxRounding = sizeof(Real) == 8 ? 1e-14 : 5e-7;

}  // namespace

TEST_SUITE("3.2.1 scaled dot-product attention") {
  TEST_CASE("softmax by hand: scores ln 1, ln 2, ln 5 become 1/8, 2/8, 5/8") {
    const Tensor S = tensor_of({1, 3}, {0, std::log(2.0), std::log(5.0)});
    const Tensor P = softmax_of(S);
    CHECK(static_cast<double>(P[0]) == doctest::Approx(0.125).epsilon(1e-6));
    CHECK(static_cast<double>(P[1]) == doctest::Approx(0.25).epsilon(1e-6));
    CHECK(static_cast<double>(P[2]) == doctest::Approx(0.625).epsilon(1e-6));
    // Scores are multiplied by the scale first: e^(2 s) is 1, 4, 25.
    CHECK(static_cast<double>(softmax_of(S, 2)[2]) == doctest::Approx(25.0 / 30).epsilon(1e-6));
  }

  TEST_CASE("every row of softmax is positive and adds up to 1") {
    for (const Index n : {1, 2, 7, 16, 17, 100}) {
      const Tensor P = softmax_of(random_tensor({3, n}, 1, 3));
      for (Index i = 0; i < 3; ++i) {
        CHECK(row_sum(P, i) == doctest::Approx(1).epsilon(kSoftmaxRounding));
        for (Index j = 0; j < n; ++j) CHECK(P(i, j) > 0);
      }
    }
  }

  TEST_CASE("scores of any size neither overflow nor become NaN") {
    const Tensor large = softmax_of(tensor_of({1, 3}, {30000, 30000, -30000}));
    CHECK(large[0] == Real(0.5));
    CHECK(large[1] == Real(0.5));
    CHECK(large[2] == 0);
    const Tensor small = softmax_of(tensor_of({1, 2}, {-3e9, -3e9}));
    CHECK(small[0] == Real(0.5));
  }

  TEST_CASE("sharpened scores, softmax(β a) with β → ∞, turn into a hard choice") {
    const Tensor a = tensor_of({1, 3}, {0.1, 0.3, 0.2});
    CHECK(static_cast<double>(softmax_of(a, 1)[1]) == doctest::Approx(0.367).epsilon(1e-3));
    CHECK(softmax_of(a, 1e4)[0] == 0);
    CHECK(softmax_of(a, 1e4)[1] == 1);
    CHECK(softmax_of(a, 1e4)[2] == 0);
  }
}

TEST_SUITE("3.2.3 three uses") {
  TEST_CASE("the causal mask: query i sees keys 0 to i, the others weigh exactly 0") {
    const Tensor P = softmax_of(random_tensor({5, 5}, 1), 1, Mask::causal);
    for (Index i = 0; i < 5; ++i) {
      CHECK(row_sum(P, i) == doctest::Approx(1).epsilon(kSoftmaxRounding));
      for (Index j = 0; j < 5; ++j) CHECK((j <= i ? P(i, j) > 0 : P(i, j) == 0));
    }
  }

  TEST_CASE("a masked row is the softmax of its legal scores, whatever the illegal ones are") {
    Tensor S = random_tensor({5, 5}, 1);
    Tensor poisoned = S;
    for (Index i = 0; i < 5; ++i) {
      for (Index j = i + 1; j < 5; ++j) poisoned(i, j) = j % 2 == 0 ? kNaN : Real(1e30);
    }
    const Tensor P = softmax_of(S, 0.5, Mask::causal);
    CHECK(same(P, softmax_of(poisoned, 0.5, Mask::causal)));
    for (Index i = 0; i < 5; ++i) {
      Tensor legal = Tensor::zeros({1, i + 1});
      for (Index j = 0; j <= i; ++j) legal[j] = S(i, j);
      const Tensor alone = softmax_of(legal, 0.5);
      for (Index j = 0; j <= i; ++j) CHECK(P(i, j) == alone[j]);
    }
  }

  TEST_CASE("the mask is −∞, not −1e9: legal scores below −1e9 still win") {
    Tensor S = Tensor::zeros({2, 2});
    S.fill(Real(-3e9));
    const Tensor P = softmax_of(S, 1, Mask::causal);
    CHECK(P(0, 0) == 1);
    CHECK(P(0, 1) == 0);
  }

  TEST_CASE("with fewer queries than keys, the queries are the last positions") {
    const Tensor S = random_tensor({5, 5}, 1);
    const Tensor all = softmax_of(S, 1, Mask::causal);
    const Tensor P = softmax_of(copy_of(rows_of(S, 3, 5)), 1, Mask::causal);
    CHECK(same(P, copy_of(rows_of(all, 3, 5))));
  }

  TEST_CASE("a query without any legal key gets zeros, never NaN, and passes no gradient") {
    // Five queries at the end of two keys: the first three stand before every key.
    Tensor S = random_tensor({6, 2}, 1);
    const Tensor guard = S;
    MatrixView inside(S.row(1), 5, 2, 2);
    softmax(inside, 1, Mask::causal);
    for (Index j = 0; j < 2; ++j) CHECK(S(0, j) == guard(0, j));  // nothing before it is touched
    for (Index i = 1; i <= 3; ++i) {
      CHECK(S(i, 0) == 0);
      CHECK(S(i, 1) == 0);
    }
    CHECK(S(4, 0) == 1);
    CHECK(S(4, 1) == 0);
    CHECK(row_sum(S, 5) == doctest::Approx(1).epsilon(kSoftmaxRounding));

    Tensor dP = random_tensor({6, 2}, 2);
    const Tensor dP_guard = dP;
    softmax_backward(ConstMatrixView(S.row(1), 5, 2, 2), 1, Mask::causal,
                     MatrixView(dP.row(1), 5, 2, 2));
    CHECK(dP(0, 0) == dP_guard(0, 0));
    CHECK(dP(0, 1) == dP_guard(0, 1));
    for (Index i = 1; i <= 3; ++i) CHECK((dP(i, 0) == 0 && dP(i, 1) == 0));

    Tensor none = Tensor::zeros({3, 0});
    softmax(none, 1, Mask::none);
    CHECK(none.elements() == 0);
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("softmax: the gradient's rows add up to 0 and its masked entries are exactly 0") {
    for (const Mask mask : {Mask::none, Mask::causal}) {
      const Tensor P = softmax_of(random_tensor({4, 6}, 1, 2), 0.7, mask);
      Tensor dS = random_tensor({4, 6}, 2);
      // Whatever the gradient says about an illegal weight, even NaN, must not count.
      if (mask == Mask::causal) dS(0, 5) = kNaN;
      softmax_backward(P, Real(0.7), mask, dS);
      for (Index i = 0; i < 4; ++i) {
        CHECK(std::abs(row_sum(dS, i)) < kSoftmaxRounding);
        for (Index j = legal_keys(mask, i, 4, 6); j < 6; ++j) CHECK(dS(i, j) == 0);
      }
    }
  }

  TEST_CASE("softmax: weights and gradients of different shapes are refused") {
    Tensor dP = random_tensor({2, 5}, 1);
    CHECK_THROWS_AS(softmax_backward(random_tensor({1, 5}, 2), 1, Mask::none, dP), Error);
    CHECK_THROWS_AS(softmax_backward(random_tensor({2, 4}, 2), 1, Mask::none, dP), Error);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("softmax: dS agrees with finite differences, with and without a mask, also for m < n") {
    for (const Mask mask : {Mask::none, Mask::causal}) {
      for (const Index m : {5, 3}) {
        Tensor S = random_tensor({m, 5}, 1);
        const Tensor dP = random_tensor({m, 5}, 2);
        Tensor dS = dP;
        softmax_backward(softmax_of(S, 0.7, mask), 0.7, mask, dS);
        GradientCheck check;
        check.tensor("S", S, dS);
        CHECK(check.errors([&] { return weighted_sum(dP, softmax_of(S, 0.7, mask)); }) == "");
      }
    }
  }
#endif
}
