#include "layers/feed_forward.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

Tensor forward(const FeedForward& layer, const Tensor& x) {
  FeedForward::Cache unused;
  return layer.forward(x, Pass(), unused);
}

}  // namespace

TEST_SUITE("3.3 feed-forward") {
  TEST_CASE("FFN(x) = max(0, x W₁ + b₁) W₂ + b₂, by hand") {
    FeedForward layer(2, 3, 0);
    layer.inner.weight.value = tensor_of({2, 3}, {1, -1, 2, 1, 1, -2});
    layer.inner.bias.value = tensor_of({3}, {0, 0.5, 1});
    layer.outer.weight.value = tensor_of({3, 2}, {1, 0, 10, 1, 100, -1});
    layer.outer.bias.value = tensor_of({2}, {0.25, -1});
    // x = (1, 2): hidden (3, 1.5, max(0, -1)); x = (2, 0): hidden (2, max(0, -1.5), 5).
    const Tensor y = forward(layer, tensor_of({2, 2}, {1, 2, 2, 0}));
    CHECK(same(y, tensor_of({2, 2}, {18.25, 0.5, 502.25, -6})));
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("C backpropagation") {
  TEST_CASE("feed-forward: all gradients agree with finite differences, with ReLU dropout too") {
    for (const double p : {0.0, 0.3}) {
      FeedForward layer(3, 7, p);
      randomise(layer, 4);
      Tensor x = random_tensor({5, 3}, 1);

      // No hidden value may be so close to 0 that a step of h crosses the kink.
      const Tensor hidden = layer.inner.forward(x);
      for (Index i = 0; i < hidden.elements(); ++i) REQUIRE(std::abs(hidden[i]) > 1e-3);

      const std::string errors = layer_errors<FeedForward::Cache>(
          layer, [&](const Pass& pass, auto& cache) { return layer.forward(x, pass, cache); },
          [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
            check.tensor("x", x, layer.backward(dy, x, pass, cache));
          });
      CHECK(errors == "");
    }
  }
}
#endif
