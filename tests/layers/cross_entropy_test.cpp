#include "layers/cross_entropy.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

// −Σ_v q_v ln p_v by its definition.
double loss_by_definition(const Tensor& logits, Index t, int target, double epsilon) {
  const Index V = logits.cols();
  double total = 0, loss = 0;
  for (Index v = 0; v < V; ++v) total += std::exp(static_cast<double>(logits(t, v)));
  for (Index v = 0; v < V; ++v) {
    const double p = std::exp(static_cast<double>(logits(t, v))) / total;
    const double q = (v == target ? 1 - epsilon : 0) + epsilon / static_cast<double>(V);
    loss -= q * std::log(p);
  }
  return loss;
}

constexpr double kLossRounding = sizeof(Real) == 8 ? 1e-13 : 2e-6;

}  // namespace

TEST_SUITE("5.4 regularisation") {
  TEST_CASE("the loss is −Σ q ln p with q = (1 − ε) onehot + ε/V") {
    const std::vector<int> targets = {3, 0, 12, 3};
    for (const double epsilon : {0.0, 0.1, 0.6}) {
      const Tensor logits = random_tensor({4, 13}, 1, 2);
      const LossSums sums =
          cross_entropy_forward(logits, targets.data(), static_cast<Real>(epsilon));
      double expected = 0, plain = 0;
      for (Index t = 0; t < 4; ++t) {
        const int target = targets[t];
        expected += loss_by_definition(logits, t, target, epsilon);
        plain += loss_by_definition(logits, t, target, 0);
      }
      CHECK(sums.loss == doctest::Approx(expected).epsilon(kLossRounding));
      CHECK(sums.log_loss == doctest::Approx(plain).epsilon(kLossRounding));
      CHECK(sums.tokens == 4);
      CHECK(sums.mean_loss() == doctest::Approx(expected / 4).epsilon(kLossRounding));
      CHECK(sums.perplexity() == doctest::Approx(std::exp(plain / 4)).epsilon(kLossRounding));
    }
  }

  TEST_CASE("the smoothed loss has a floor, 0.5372 for V = 13 and ε = 0.1: the entropy of q") {
    // The best logits are ln q; no others do better.
    const double q_target = 0.9 + 0.1 / 13, q_other = 0.1 / 13;
    Tensor logits = Tensor::zeros({1, 13});
    for (Index v = 0; v < 13; ++v)
      logits[v] = static_cast<Real>(std::log(v == 4 ? q_target : q_other));
    const int target = 4;
    const double floor = cross_entropy_forward(logits, &target, Real(0.1)).loss;
    CHECK(floor == doctest::Approx(0.5372).epsilon(1e-4));
    CHECK(least_loss(0.1, 13) == doctest::Approx(floor).epsilon(1e-5));
    for (const double more : {-0.5, -0.01, 0.01, 0.5, 20.0}) {
      Tensor other = logits;
      other[4] += static_cast<Real>(more);
      CHECK(cross_entropy_forward(other, &target, Real(0.1)).loss > floor);
    }
    // Without smoothing there is none: certainty costs nothing.
    logits[4] = 100;
    CHECK(cross_entropy_forward(logits, &target, 0).loss < 1e-6);
    CHECK(least_loss(0, 13) == 0);
  }

  TEST_CASE("the gradient is scale · (p − q), each row of it adds up to 0") {
    const std::vector<int> targets = {3, 0, 12};
    const Tensor logits = random_tensor({3, 13}, 1, 2);
    Tensor gradient = logits;
    cross_entropy_backward(gradient, targets.data(), Real(0.1), Real(0.25));
    for (Index t = 0; t < 3; ++t) {
      double total = 0, sum = 0;
      for (Index v = 0; v < 13; ++v) total += std::exp(static_cast<double>(logits(t, v)));
      for (Index v = 0; v < 13; ++v) {
        const double p = std::exp(static_cast<double>(logits(t, v))) / total;
        const double q = (v == targets[t] ? 0.9 : 0) + 0.1 / 13;
        const double g = static_cast<double>(gradient(t, v));
        CHECK(std::abs(g - 0.25 * (p - q)) < kLossRounding);
        sum += g;
      }
      CHECK(std::abs(sum) < kLossRounding);
    }
  }

  TEST_CASE("with scale 0 the gradient is 0, not the logits") {
    const std::vector<int> targets = {3, 0, 12};
    Tensor logits = random_tensor({3, 13}, 1, 2);
    const double loss = cross_entropy_forward(logits, targets.data(), Real(0.1)).loss;
    CHECK(cross_entropy_backward(logits, targets.data(), Real(0.1), 0).loss == loss);
    CHECK(sum_of_squares(logits) == 0);
  }

  TEST_CASE("a token counts as correct if its logit is the largest") {
    const Tensor logits = tensor_of({3, 3}, {5, 1, 2, 0, 1, 2, -1, -2, -3});
    const std::vector<int> targets = {0, 1, 0};
    const LossSums sums = cross_entropy_forward(logits, targets.data(), Real(0.1));
    CHECK(sums.correct == 2);
    CHECK(sums.accuracy() == doctest::Approx(2.0 / 3));
    Tensor overwritten = logits;  // by the gradient, in which nothing can be looked up any more
    CHECK(cross_entropy_backward(overwritten, targets.data(), Real(0.1), 1).correct == 2);
  }

  TEST_CASE("logits of any size give a finite loss") {
    Tensor logits = tensor_of({2, 3}, {20000, 0, -20000, -20000, -20000, -20000});
    const std::vector<int> targets = {2, 1};
    const LossSums sums = cross_entropy_backward(logits, targets.data(), 0, 1);
    CHECK(sums.loss == doctest::Approx(40000 + std::log(3.0)));
    CHECK(is_finite(logits));
  }

  TEST_CASE("a target outside the vocabulary is an error, not a read beyond the row") {
    Tensor logits = random_tensor({2, 3}, 1);
    const std::vector<int> beyond = {0, 3}, negative = {-1, 0};
    int shown = 0;  // to an observer
    const Observer observer = [&](const std::string&, const ConstMatrixView&) { ++shown; };
    CHECK_THROWS_WITH_AS(cross_entropy_forward(logits, beyond.data(), 0, Pass(observer)),
                         "target id 3 is not in a vocabulary of 3", Error);
    CHECK(shown == 0);
    CHECK_THROWS_WITH_AS(cross_entropy_backward(logits, negative.data(), 0, 1),
                         "target id -1 is not in a vocabulary of 3", Error);
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("C backpropagation") {
  TEST_CASE("cross-entropy: dlogits agrees with finite differences, with and without smoothing") {
    const std::vector<int> targets = {3, 0, 12, 3, 7};
    for (const double epsilon : {0.0, 0.1, 0.7}) {
      Tensor logits = random_tensor({5, 13}, 1, 2);
      Tensor gradient = logits;
      cross_entropy_backward(gradient, targets.data(), epsilon, 0.3);
      GradientCheck check;
      check.tensor("logits", logits, gradient);
      CHECK(check.errors([&] {
        return 0.3 * cross_entropy_forward(logits, targets.data(), epsilon).loss;
      }) == "");
    }
  }
}
#endif
