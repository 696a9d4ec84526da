#include "layers/feed_forward.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

FeedForward random_feed_forward(double relu_dropout) {
  FeedForward layer(3, 7, relu_dropout);
  randomise(layer, 4);
  return layer;
}

Tensor forward(const FeedForward& layer, const Tensor& x) {
  DropoutMasks off;
  FeedForward::Cache cache;
  return layer.forward(x, off, cache);
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

  TEST_CASE("the network is applied to each position separately and identically") {
    const FeedForward layer = random_feed_forward(0);
    const Tensor x = random_tensor({6, 3}, 1);
    const Tensor y = forward(layer, x);
    for (Index t = 0; t < x.rows(); ++t) {
      Tensor alone = Tensor::zeros({1, 3});
      for (Index j = 0; j < 3; ++j) alone[j] = x(t, j);
      const Tensor y_alone = forward(layer, alone);
      for (Index j = 0; j < 3; ++j) CHECK(y_alone[j] == y(t, j));
    }
  }

  TEST_CASE("equal positions give equal outputs, and other positions do not matter") {
    const FeedForward layer = random_feed_forward(0);
    Tensor x = random_tensor({4, 3}, 1);
    for (Index j = 0; j < 3; ++j) x(3, j) = x(0, j);
    const Tensor y = forward(layer, x);
    for (Index j = 0; j < 3; ++j) CHECK(y(3, j) == y(0, j));
    x(1, 2) += 1;
    const Tensor changed = forward(layer, x);
    for (Index j = 0; j < 3; ++j) {
      CHECK(changed(0, j) == y(0, j));
      CHECK(changed(2, j) == y(2, j));
    }
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("feed-forward: two passes with caches of their own add up in the gradients") {
    FeedForward layer = random_feed_forward(0.3);
    const Tensor x1 = random_tensor({5, 3}, 1), x2 = random_tensor({2, 3}, 2);
    const Tensor dy1 = random_tensor({5, 3}, 3), dy2 = random_tensor({2, 3}, 4);
    const auto gradient_of = [&](bool first, bool second) {
      randomise(layer, 4);
      DropoutMasks masks(8, 8);
      FeedForward::Cache cache1, cache2;
      layer.forward(x1, masks, cache1);
      layer.forward(x2, masks, cache2);
      if (first) layer.backward(dy1, x1, cache1);
      if (second) layer.backward(dy2, x2, cache2);
      return layer.inner.weight.gradient;
    };
    const Tensor one = gradient_of(true, false), two = gradient_of(false, true);
    const Tensor both = gradient_of(true, true);
    for (Index i = 0; i < both.elements(); ++i) {
      CHECK(both[i] == doctest::Approx(one[i] + two[i]).epsilon(1e-5));
    }
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("feed-forward: all gradients agree with finite differences, with ReLU dropout too") {
    for (const double p : {0.0, 0.3}) {
      FeedForward layer = random_feed_forward(p);
      Tensor x = random_tensor({5, 3}, 1);
      const Tensor dy = random_tensor({5, 3}, 2);

      // No hidden value may be so close to 0 that a step of h crosses the kink.
      const Tensor hidden = layer.inner.forward(x);
      for (Index i = 0; i < hidden.elements(); ++i) REQUIRE(std::abs(hidden[i]) > 1e-3);

      DropoutMasks masks(1, 2);
      FeedForward::Cache cache;
      layer.forward(x, masks, cache);
      const Tensor dx = layer.backward(dy, x, cache);
      GradientCheck check;
      check.tensor("x", x, dx);
      check.parameters("feed_forward", layer);
      CHECK(check.errors([&] {
        DropoutMasks same_masks(1, 2);
        FeedForward::Cache unused;
        return weighted_sum(dy, layer.forward(x, same_masks, unused));
      }) == "");
    }
  }
#endif
}
