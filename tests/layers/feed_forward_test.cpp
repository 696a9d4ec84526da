#include "layers/feed_forward.h"

#include <doctest/doctest.h>

#include <algorithm>

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
  FeedForward::Cache unused;
  return layer.forward(x, Pass(), unused);
}

// A convolution over one sentence: output t is Σ over k of x_(t + k − middle) times W's matrix k,
// plus b, and what is outside of the sentence is 0. W [width, in, out].
Tensor convolution(const Tensor& x, const Tensor& W, const Tensor& b) {
  const Index width = W.shape().size[0], in = W.shape().size[1], out = W.shape().size[2];
  Tensor y = Tensor::zeros({x.rows(), out});
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index j = 0; j < out; ++j) {
      double sum = static_cast<double>(b[j]);
      for (Index k = 0; k < width; ++k) {
        const Index from = t + k - width / 2;
        if (from < 0 || from >= x.rows()) continue;
        for (Index i = 0; i < in; ++i) {
          sum += static_cast<double>(x(from, i)) * static_cast<double>(W(k * in + i, j));
        }
      }
      y(t, j) = static_cast<Real>(sum);
    }
  }
  return y;
}

// Width 3, with these matrices before and after the one in the middle.
Tensor widened(const Tensor& W, Real beside) {
  Tensor wide = Tensor::zeros({3, W.rows(), W.cols()});
  wide.fill(beside);
  for (Index i = 0; i < W.rows(); ++i) {
    for (Index j = 0; j < W.cols(); ++j) wide(W.rows() + i, j) = W(i, j);
  }
  return wide;
}

// Two convolutions with max(0, ·) between them.
Tensor two_convolutions(const FeedForward& layer, const Tensor& x, const Tensor& W1,
                        const Tensor& W2) {
  Tensor hidden = convolution(x, W1, layer.inner.bias.value);
  for (Index i = 0; i < hidden.elements(); ++i) hidden[i] = std::max<Real>(0, hidden[i]);
  return convolution(hidden, W2, layer.outer.bias.value);
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

  TEST_CASE("the network is two convolutions of width 1, and no wider ones") {
    const FeedForward layer = random_feed_forward(0);
    const Tensor x = random_tensor({6, 3}, 1), y = forward(layer, x);
    const auto width_1 = [](const Tensor& W) {
      return Tensor(W).reshaped({1, W.rows(), W.cols()});
    };
    const Tensor &W1 = layer.inner.weight.value, &W2 = layer.outer.weight.value;
    const Tensor narrow = two_convolutions(layer, x, width_1(W1), width_1(W2));
    CHECK(relative_error(y, narrow) <= (sizeof(Real) == 8 ? 1e-14 : 1e-6));

    // The convolution is a real one: at width 3 it is the same only if it ignores the neighbours.
    const Tensor blind = two_convolutions(layer, x, widened(W1, 0), widened(W2, 0));
    CHECK(relative_error(y, blind) <= (sizeof(Real) == 8 ? 1e-14 : 1e-6));
    const Tensor wide = two_convolutions(layer, x, widened(W1, Real(0.1)), width_1(W2));
    CHECK(relative_error(y, wide) > 0.01);
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
      const Pass pass(DropoutMasks(8, 8));
      FeedForward::Cache cache1, cache2;
      layer.forward(x1, pass, cache1);
      layer.forward(x2, pass, cache2);
      if (first) layer.backward(dy1, x1, pass, cache1);
      if (second) layer.backward(dy2, x2, pass, cache2);
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
#endif
}
