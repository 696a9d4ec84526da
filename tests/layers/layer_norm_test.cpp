#include "layers/layer_norm.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

Tensor forward(const LayerNorm& norm, const Tensor& x) {
  LayerNorm::Cache unused;
  return norm.forward(x, Pass(), unused);
}

LayerNorm with_gradients(Index d_model) {
  LayerNorm norm(d_model);
  norm.gamma.gradient = Tensor::zeros({d_model});
  norm.beta.gradient = Tensor::zeros({d_model});
  return norm;
}

constexpr double kNormRounding = sizeof(Real) == 8 ? 1e-13 : 2e-6;

}  // namespace

TEST_SUITE("3.1 stacks") {
  TEST_CASE("layer norm of [1, 0, 0, 0] starts with 1.7320: biased variance, ε inside the root") {
    // Mean ¼, biased variance 3/16: (¾)/√(3/16 + 1e-5) = 1.73200. An unbiased variance would give
    // 1.49996; ε added to √variance 1.73201.
    const Tensor y = forward(LayerNorm(4), tensor_of({1, 4}, {1, 0, 0, 0}));
    CHECK(static_cast<double>(y[0]) ==
          doctest::Approx(0.75 / std::sqrt(0.1875 + 1e-5)).epsilon(1e-6));
    CHECK(static_cast<double>(y[0]) == doctest::Approx(1.7320).epsilon(1e-5));
    for (Index j = 1; j < 4; ++j) {
      CHECK(static_cast<double>(y[j]) ==
            doctest::Approx(-0.25 / std::sqrt(0.1875 + 1e-5)).epsilon(1e-6));
    }
  }

  TEST_CASE("layer norm gives each token mean 0 and variance 1, then γ and β") {
    LayerNorm norm(37);
    const Tensor x = random_tensor({5, 37}, 1, 30);
    const Tensor x_hat = forward(norm, x);
    for (Index t = 0; t < 5; ++t) {
      double mean = 0, square = 0;
      for (Index j = 0; j < 37; ++j) {
        mean += static_cast<double>(x_hat(t, j)) / 37;
        square += static_cast<double>(x_hat(t, j) * x_hat(t, j)) / 37;
      }
      CHECK(std::abs(mean) < 1e-6);
      CHECK(square == doctest::Approx(1).epsilon(1e-5));
    }
    randomise(norm, 2);
    const Tensor y = forward(norm, x);
    for (Index t = 0; t < 5; ++t) {
      for (Index j = 0; j < 37; ++j) {
        const double expected =
            static_cast<double>(norm.gamma.value[j]) * static_cast<double>(x_hat(t, j)) +
            static_cast<double>(norm.beta.value[j]);
        CHECK(static_cast<double>(y(t, j)) == doctest::Approx(expected).epsilon(1e-5));
      }
    }
  }

  TEST_CASE("the variance is taken in a second pass: a large mean does not drown it") {
    // E[x²] − mean² would lose every digit of these variances in float, and half of them in double.
    const double mean = sizeof(Real) == 8 ? 1e8 : 4096;
    const Tensor y = forward(LayerNorm(4), tensor_of({1, 4}, {mean + 1, mean, mean, mean}));
    CHECK(static_cast<double>(y[0]) == doctest::Approx(1.7320).epsilon(1e-4));
  }

  TEST_CASE("a constant token becomes β, not NaN") {
    LayerNorm norm(5);
    randomise(norm, 1);
    Tensor x = Tensor::zeros({1, 5});
    x.fill(7);
    CHECK(same(forward(norm, x).reshaped({5}), norm.beta.value));
  }

  TEST_CASE("layer norm refuses a token of another width") {
    CHECK_THROWS_AS(forward(LayerNorm(5), Tensor::zeros({2, 6})), Error);
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("layer norm: with γ = 1, Σ dx = 0 and Σ dx ⊙ x̂ ≈ 0 for every token") {
    LayerNorm norm = with_gradients(19);
    const Pass pass{DropoutMasks()};
    LayerNorm::Cache cache;
    norm.forward(random_tensor({4, 19}, 1), pass, cache);
    const Tensor dx = norm.backward(random_tensor({4, 19}, 2), cache);
    for (Index t = 0; t < 4; ++t) {
      double sum = 0, dot = 0, size = 0;
      for (Index j = 0; j < 19; ++j) {
        const double d = static_cast<double>(dx(t, j));
        sum += d;
        dot += d * static_cast<double>(cache.x_hat(t, j));
        size += std::abs(d);
      }
      CHECK(size > 1);
      CHECK(std::abs(sum) < kNormRounding * size);
      // Not exactly 0, because ε keeps the variance of x̂ a little below 1.
      CHECK(std::abs(dot) < 1e-4 * size);
    }
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("layer norm: dx, dγ and dβ agree with finite differences") {
    // 37 tokens are more than one task's.
    for (const Index d_model : {2, 5, 16, 33}) {
      const Index tokens = d_model == 5 ? 37 : 7;
      LayerNorm norm(d_model);
      randomise(norm, 3);
      Tensor x = random_tensor({tokens, d_model}, 1);
      const std::string errors = layer_errors<LayerNorm::Cache>(
          norm, [&](const Pass& pass, auto& cache) { return norm.forward(x, pass, cache); },
          [&](const Tensor& dy, const Pass&, auto& cache, GradientCheck& check) {
            check.tensor("x", x, norm.backward(dy, cache));
          });
      CHECK(errors == "");
    }
  }
#endif
}
