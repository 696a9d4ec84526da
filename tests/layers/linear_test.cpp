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
  TEST_CASE("a linear layer computes x W + b, by hand, and refuses an input of another width") {
    Linear layer(2, 3, true);
    layer.weight.value = tensor_of({2, 3}, {1, 2, 3, 10, 20, 30});
    layer.bias.value = tensor_of({3}, {0.5, 0, -100});
    const Tensor x = tensor_of({2, 2}, {1, 0, 2, 1});
    CHECK(same(layer.forward(x), tensor_of({2, 3}, {1.5, 2, -97, 12.5, 24, -64})));
    CHECK(same(layer.forward_relu(x), tensor_of({2, 3}, {1.5, 2, 0, 12.5, 24, 0})));
    CHECK(layer.forward(Tensor::zeros({0, 2})).shape() == Shape{0, 3});
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
    CHECK(relative_error(layer.weight.gradient, sum_of(dW, dW)) <= kRounding);
    CHECK(relative_error(layer.bias.gradient, sum_of(db, db)) <= kRounding);
    CHECK(relative_error(sum, sum_of(dx, dx)) <= kRounding);
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
#endif
}
