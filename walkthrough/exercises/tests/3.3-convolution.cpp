// By hand for widths 3 and 5; with width 1 two of them are the library's feed-forward network.
#include "layers/feed_forward.h"
#include "support/checks.h"

static const exercises::Exercise convolution_exercise(
    "3.3-convolution", [](exercises::Checks& check) {
      using namespace exercises;
      const auto number = [](double x) { return tensor_of({1, 1}, {x}); };
      check.claim("width 3 with (1, 10, 100): 1, 2, 3 becomes 210, 321, 32");
      check.tensor("y",
                   convolution(tensor_of({3, 1}, {1, 2, 3}), {number(1), number(10), number(100)},
                               tensor_of({1}, {0})),
                   tensor_of({3, 1}, {210, 321, 32}),
                   "W_0 is for the token before, W_1 for the token itself, W_2 for the one after.");
      const auto column = [](double x) { return tensor_of({2, 1}, {x, 2 * x}); };
      check.claim("width 5, two numbers per token, three tokens: only real neighbours count");
      check.tensor("y",
                   convolution(tensor_of({3, 2}, {1, 0, 2, 0, 0, 3}),
                               {column(1), column(10), column(100), column(1000), column(10000)},
                               tensor_of({1}, {0})),
                   tensor_of({3, 1}, {62100, 6210, 621}),
                   "The tokens times (1; 2) are 1, 2 and 6. W_0 is for two tokens before, W_2 for "
                   "the token itself, W_4 for two tokens after.");
      check.claim("the bias is added once per token, whatever the width");
      check.tensor("y",
                   convolution(tensor_of({2, 1}, {0, 0}), {number(1), number(1), number(1)},
                               tensor_of({1}, {7})),
                   tensor_of({2, 1}, {7, 7}), "");
      check.claim(
          "two convolutions of width 1 with max(0, ·) between are the feed-forward network");
      attn::FeedForward layer(3, 5, 0);
      attn::test::randomise(layer, 1);
      const Tensor x = random_tensor({4, 3}, 2);
      attn::FeedForward::Cache unused;
      const Tensor want = layer.forward(x, attn::Pass(), unused);
      Tensor hidden = convolution(x, {layer.inner.weight.value}, layer.inner.bias.value);
      for (Index i = 0; i < hidden.elements(); ++i) hidden[i] = std::max(0.0, hidden[i]);
      check.tensor("y", convolution(hidden, {layer.outer.weight.value}, layer.outer.bias.value),
                   want, "");
    });
