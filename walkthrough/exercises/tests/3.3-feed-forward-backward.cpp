// One hidden unit that is on and one that is off; then finite differences of the library's forward.
#include "layers/feed_forward.h"
#include "support/checks.h"

static const exercises::Exercise feed_forward_exercise(
    "3.3-feed-forward-backward", [](exercises::Checks& check) {
      using namespace exercises;
      check.claim(
          "x = 2, W₁ = (3, −3), so r = (6, 0); W₂ = (5; 7), dy = 1: dx = 15, the path through the "
          "unit that is on");
      const FeedForwardGradients small = feed_forward_backward(
          tensor_of({1, 1}, {1}), tensor_of({1, 1}, {2}), tensor_of({1, 2}, {3, -3}),
          tensor_of({2, 1}, {5, 7}), tensor_of({1, 2}, {6, 0}));
      check.tensor("dx", small.dx, tensor_of({1, 1}, {15}),
                   "5 · 3. (−6: the gate is missing, 5·3 − 7·3.)");
      check.claim("dW₁ = (10, 0), db₁ = (5, 0), dW₂ = (6; 0), db₂ = 1");
      check.tensor("dW1", small.dW1, tensor_of({1, 2}, {10, 0}), "");
      check.tensor("db1", small.db1, tensor_of({2}, {5, 0}), "");
      check.tensor("dW2", small.dW2, tensor_of({2, 1}, {6, 0}),
                   "W₂ was multiplied by r, not by a.");
      check.tensor("db2", small.db2, tensor_of({1}, {1}), "");

      attn::FeedForward layer(3, 5, 0);
      attn::test::randomise(layer, 1);
      Tensor x = random_tensor({4, 3}, 2);
      const Tensor dy = random_tensor({4, 3}, 3);
      attn::FeedForward::Cache cache;
      const auto loss = [&] {
        return weighted_sum(dy, layer.forward(x, attn::DropoutMasks(), cache));
      };
      loss();
      Tensor &W1 = layer.inner.weight.value, &W2 = layer.outer.weight.value;
      const FeedForwardGradients found = feed_forward_backward(dy, x, W1, W2, cache.hidden);
      check.claim("d_model = 3, d_ff = 5, four tokens: all five agree with finite differences");
      check.gradient("dW2", found.dW2, W2, loss, "dW₂ = rᵀ dy.");
      check.gradient("db2", found.db2, layer.outer.bias.value, loss, "");
      check.gradient("dW1", found.dW1, W1, loss, "dW₁ = xᵀ da, with the gate in da.");
      check.gradient("db1", found.db1, layer.inner.bias.value, loss, "");
      check.gradient("dx", found.dx, x, loss, "dx = da W₁ᵀ.");
    });
