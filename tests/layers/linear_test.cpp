#include "layers/linear.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

Linear random_linear(Index in, Index out, bool bias) {
  Linear layer(in, out, bias);
  randomise(layer, 5);
  return layer;
}

}  // namespace

TEST_SUITE("3.3 feed-forward") {
  TEST_CASE("a linear layer computes x W + b, by hand") {
    Linear layer(2, 3, true);
    layer.weight.value = tensor_of({2, 3}, {1, 2, 3, 10, 20, 30});
    layer.bias.value = tensor_of({3}, {0.5, 0, -100});
    const Tensor x = tensor_of({2, 2}, {1, 0, 2, 1});
    CHECK(same(layer.forward(x), tensor_of({2, 3}, {1.5, 2, -97, 12.5, 24, -64})));
    CHECK(same(layer.forward_relu(x), tensor_of({2, 3}, {1.5, 2, 0, 12.5, 24, 0})));
  }

  TEST_CASE("a linear layer is given its shapes by W, and refuses an input of another width") {
    const Linear layer = random_linear(3, 4, true);
    CHECK(layer.forward(random_tensor({5, 3}, 1)).shape() == Shape{5, 4});
    CHECK(layer.forward(Tensor::zeros({0, 3})).shape() == Shape{0, 4});
    CHECK_THROWS_AS(layer.forward(random_tensor({5, 4}, 1)), Error);
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("backward adds to parameter gradients, backward_add to the input's too") {
    Linear layer = random_linear(3, 4, true);
    const Tensor x = random_tensor({5, 3}, 1), dy = random_tensor({5, 4}, 2);
    const Tensor dx = layer.backward(dy, x);
    const Tensor dW = layer.weight.gradient, db = layer.bias.gradient;
    Tensor sum = dx;
    layer.backward_add(dy, x, sum);
    for (Index i = 0; i < dW.elements(); ++i) {
      CHECK(layer.weight.gradient[i] == doctest::Approx(2 * dW[i]));
    }
    for (Index i = 0; i < db.elements(); ++i) {
      CHECK(layer.bias.gradient[i] == doctest::Approx(2 * db[i]));
    }
    for (Index i = 0; i < dx.elements(); ++i) CHECK(sum[i] == doctest::Approx(2 * dx[i]));
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("linear: dx, dW and db agree with finite differences, with and without bias") {
    for (const bool bias : {true, false}) {
      Linear layer = random_linear(3, 4, bias);
      Tensor x = random_tensor({5, 3}, 1);
      const Tensor dy = random_tensor({5, 4}, 2);
      const Tensor dx = layer.backward(dy, x);
      GradientCheck check;
      check.tensor("x", x, dx);
      check.parameters("linear", layer);
      CHECK(check.errors([&] { return weighted_sum(dy, layer.forward(x)); }) == "");
    }
  }

  TEST_CASE("linear: two layers that read one input add up in dx") {
    Linear one = random_linear(3, 4, true), two = random_linear(3, 2, false);
    Tensor x = random_tensor({5, 3}, 1);
    const Tensor dy1 = random_tensor({5, 4}, 2), dy2 = random_tensor({5, 2}, 3);
    Tensor dx = one.backward(dy1, x);
    two.backward_add(dy2, x, dx);
    GradientCheck check;
    check.tensor("x", x, dx);
    check.parameters("one", one);
    check.parameters("two", two);
    CHECK(check.errors([&] {
      return weighted_sum(dy1, one.forward(x)) + weighted_sum(dy2, two.forward(x));
    }) == "");
  }

  TEST_CASE("linear: one layer used twice in a step collects both gradients") {
    Linear layer = random_linear(3, 3, true);
    Tensor x = random_tensor({5, 3}, 1);
    const Tensor dy = random_tensor({5, 3}, 2);
    const Tensor middle = layer.forward(x);
    const Tensor dx = layer.backward(layer.backward(dy, middle), x);
    GradientCheck check;
    check.tensor("x", x, dx);
    check.parameters("linear", layer);
    CHECK(check.errors([&] { return weighted_sum(dy, layer.forward(layer.forward(x))); }) == "");
  }
#endif
}
