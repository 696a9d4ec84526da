#include "support/batch_norm.h"

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "layers/layer_norm.h"
#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

const Pass kTraining{DropoutMasks()};

Tensor train(const BatchNorm& norm, const Tensor& x) {
  BatchNorm::Cache unused;
  return norm.forward(x, kTraining, unused);
}

Tensor infer(const BatchNorm& norm, const Tensor& x) {
  BatchNorm::Cache unused;
  return norm.forward(x, Pass(), unused);
}

}  // namespace

TEST_SUITE("3.1 stacks: batch norm") {
  TEST_CASE("batch norm by hand: the column 1, 0, 0, 0 starts with 1.7320, biased, ε inside") {
    const Tensor y = train(BatchNorm(1), tensor_of({4, 1}, {1, 0, 0, 0}));
    const double sigma = std::sqrt(0.1875 + 1e-5);
    CHECK(static_cast<double>(y[0]) == doctest::Approx(0.75 / sigma).epsilon(1e-6));
    for (Index t = 1; t < 4; ++t) {
      CHECK(static_cast<double>(y[t]) == doctest::Approx(-0.25 / sigma).epsilon(1e-6));
    }
  }

  TEST_CASE("batch norm is layer norm of the transposed matrix, where γ = 1 and β = 0") {
    const Tensor x = random_tensor({7, 5}, 1, 3);
    LayerNorm::Cache unused;
    const Tensor y = LayerNorm(7).forward(transposed_copy(x), Pass(), unused);
    CHECK(relative_error(train(BatchNorm(5), x), transposed_copy(y)) <= 1e-6);
  }

  TEST_CASE("with batch norm, a token's result depends on the rest of the batch; not in decoding") {
    BatchNorm norm(6);
    randomise(norm, 1);
    const LayerNorm layer_norm(6);
    LayerNorm::Cache unused;
    const Tensor x = random_tensor({3, 6}, 1);
    Tensor changed = x;
    for (Index j = 0; j < 6; ++j) changed(2, j) += 1;
    for (Index j = 0; j < 6; ++j) {
      CHECK(train(norm, x)(0, j) != train(norm, changed)(0, j));
      CHECK(infer(norm, x)(0, j) == infer(norm, changed)(0, j));
      CHECK(layer_norm.forward(x, kTraining, unused)(0, j) ==
            layer_norm.forward(changed, kTraining, unused)(0, j));
    }
  }

  TEST_CASE(
      "batch norm: the variance is taken in a second pass, so a large mean does not drown it") {
    const double mean = sizeof(Real) == 8 ? 1e8 : 4096;
    const Tensor y = train(BatchNorm(1), tensor_of({4, 1}, {mean + 1, mean, mean, mean}));
    CHECK(static_cast<double>(y[0]) == doctest::Approx(1.7320).epsilon(1e-4));
  }

  TEST_CASE("running statistics approach those of the data, the variance without bias") {
    // Batches of two tokens: the biased variance is half of the true one in the mean.
    BatchNorm norm(1);
    for (int step = 0; step < 4000; ++step) {
      Tensor x = random_tensor({2, 1}, static_cast<std::uint64_t>(step), 3);
      for (Index t = 0; t < 2; ++t) x[t] += 5;
      BatchNorm::Cache cache;
      norm.forward(x, kTraining, cache);
      norm.update_running(cache);
    }
    // A mean over about 20 batches: its own deviations are 0.5 and 2.9.
    CHECK(std::abs(static_cast<double>(norm.running_mean[0]) - 5) < 2);
    CHECK(static_cast<double>(norm.running_variance[0]) > 5.5);
    CHECK(static_cast<double>(norm.running_variance[0]) < 18);
  }

  TEST_CASE("running statistics: by hand, a tenth of the way, and nothing before a step") {
    BatchNorm norm(1);
    BatchNorm::Cache cache;
    norm.forward(tensor_of({2, 1}, {4, 8}), kTraining, cache);
    CHECK((norm.running_mean[0] == 0 && norm.running_variance[0] == 1));
    norm.update_running(cache);
    // Mean 6; variance 4, unbiased 8.
    CHECK(static_cast<double>(norm.running_mean[0]) == doctest::Approx(0.6));
    CHECK(static_cast<double>(norm.running_variance[0]) == doctest::Approx(0.9 + 0.8));
    const Tensor y = infer(norm, tensor_of({1, 1}, {2}));
    CHECK(static_cast<double>(y[0]) == doctest::Approx((2 - 0.6) / std::sqrt(1.7 + 1e-5)));
  }

  TEST_CASE("batch norm of one token, or of a token of another width, is an error in training") {
    CHECK_THROWS_WITH_AS(train(BatchNorm(3), Tensor::zeros({1, 3})),
                         "one token alone has no variance to normalise it by", Error);
    CHECK(infer(BatchNorm(3), Tensor::zeros({1, 3})).rows() == 1);
    CHECK_THROWS_AS(train(BatchNorm(3), Tensor::zeros({2, 4})), Error);
  }

  TEST_CASE(
      "batch norm: with γ = 1, Σ dx = 0 and Σ dx ⊙ x̂ ≈ 0 for every feature; dγ and dβ add up") {
    BatchNorm norm(3);
    norm.visit("", [](const std::string&, Parameter& p) { p.gradient = Tensor::zeros({3}); });
    BatchNorm::Cache cache;
    norm.forward(random_tensor({19, 3}, 1), kTraining, cache);
    const Tensor dy = random_tensor({19, 3}, 2);
    const Tensor dx = norm.backward(dy, cache);
    const Tensor dgamma = norm.gamma.gradient, dbeta = norm.beta.gradient;
    norm.backward(dy, cache);
    for (Index j = 0; j < 3; ++j) {
      double sum = 0, dot = 0, size = 0;
      for (Index t = 0; t < 19; ++t) {
        const double d = static_cast<double>(dx(t, j));
        sum += d;
        dot += d * static_cast<double>(cache.x_hat(t, j));
        size += std::abs(d);
      }
      CHECK(size > 1);
      CHECK(std::abs(sum) < (sizeof(Real) == 8 ? 1e-13 : 2e-6) * size);
      CHECK(std::abs(dot) < 1e-4 * size);
      CHECK(norm.gamma.gradient[j] == doctest::Approx(2 * dgamma[j]));
      CHECK(norm.beta.gradient[j] == doctest::Approx(2 * dbeta[j]));
    }
  }

  TEST_CASE("batch norm does not depend on threads, by a bit") {
    const Tensor x = random_tensor({1000, 7}, 1), dy = random_tensor({1000, 7}, 2);
    Tensor y, dx, dgamma;
    for (const int count : {1, 3}) {
      const WithThreads with(count);
      BatchNorm norm(7);
      randomise(norm, 1);
      BatchNorm::Cache cache;
      const Tensor new_y = norm.forward(x, kTraining, cache), new_dx = norm.backward(dy, cache);
      if (count > 1) {
        CHECK(same(y, new_y));
        CHECK(same(dx, new_dx));
        CHECK(same(dgamma, norm.gamma.gradient));
      }
      y = new_y, dx = new_dx, dgamma = norm.gamma.gradient;
    }
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("batch norm: dx, dγ and dβ agree with finite differences") {
    for (const Index tokens : {2, 7, 70}) {
      BatchNorm norm(3);
      randomise(norm, 3);
      Tensor x = random_tensor({tokens, 3}, 1);
      const Tensor dy = random_tensor({tokens, 3}, 2);
      BatchNorm::Cache cache;
      norm.forward(x, kTraining, cache);
      const Tensor dx = norm.backward(dy, cache);
      GradientCheck check;
      check.tensor("x", x, dx);
      check.parameters("norm", norm);
      CHECK(check.errors([&] { return weighted_sum(dy, train(norm, x)); }) == "");
    }
  }
#endif
}
