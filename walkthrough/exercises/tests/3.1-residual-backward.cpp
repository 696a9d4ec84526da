// Numbers for norms and sub-layers that only multiply; then real ones and finite differences.
#include "layers/layer_norm.h"
#include "layers/linear.h"
#include "support/checks.h"

static const exercises::Exercise residual_backward_exercise(
    "3.1-residual-backward", [](exercises::Checks& check) {
      using namespace exercises;
      const auto times = [](double factor) {
        return [factor](const Tensor& d) {
          Tensor result = d;
          for (Index i = 0; i < result.elements(); ++i) result[i] *= factor;
          return result;
        };
      };
      const Tensor one = tensor_of({1, 1}, {1});
      check.claim("Norm(u) = 10 u, Sublayer(u) = 3 u: post-norm y = 10 (x + 3 x) has the slope 40");
      check.number("dx", post_norm_backward(one, times(10), times(3))[0], 40,
                   "Both paths go through the norm.");
      check.claim("pre-norm y = x + 3 · 10 x has the slope 31");
      check.number("dx", pre_norm_backward(one, times(10), times(3))[0], 31,
                   "The residual path meets no norm.");

      attn::LayerNorm norm(4);
      attn::Linear layer(4, 4, true);
      attn::test::randomise(norm, 1);
      attn::test::randomise(layer, 2);
      Tensor x = random_tensor({3, 4}, 3);
      const Tensor dy = random_tensor({3, 4}, 4);
      const attn::Pass pass{attn::DropoutMasks()};
      attn::LayerNorm::Cache cache;
      Tensor sublayer_input;
      const auto norm_backward = [&](const Tensor& d) { return norm.backward(d, cache); };
      const auto sublayer_backward = [&](const Tensor& d) {
        return layer.backward(d, sublayer_input);
      };
      const auto post = [&] {
        sublayer_input = x;
        Tensor sum = layer.forward(x);
        add(x, sum);
        return weighted_sum(dy, norm.forward(sum, pass, cache));
      };
      const auto pre = [&] {
        sublayer_input = norm.forward(x, pass, cache);
        Tensor sum = layer.forward(sublayer_input);
        add(x, sum);
        return weighted_sum(dy, sum);
      };
      check.claim("post-norm with the library's norm and a linear layer");
      post();
      check.gradient("dx", post_norm_backward(dy, norm_backward, sublayer_backward), x, post,
                     "dy meets the norm first; the sub-layer gets what the norm passes back.");
      check.claim("norm_backward was called once: each call adds to γ's gradient");
      check.gradient("dgamma", norm.gamma.gradient, norm.gamma.value, post,
                     "Both paths go through one norm: keep what norm_backward returns.");
      const char* const once = "Call sublayer_backward once: each call adds to W's gradient.";
      check.gradient("dW of the sub-layer", layer.weight.gradient, layer.weight.value, post, once);
      check.claim("pre-norm with the same");
      pre();
      norm.gamma.gradient.fill(0);
      layer.weight.gradient.fill(0);
      check.gradient("dx", pre_norm_backward(dy, norm_backward, sublayer_backward), x, pre,
                     "dy meets the sub-layer first, and then the norm in front of it.");
      check.gradient("dgamma", norm.gamma.gradient, norm.gamma.value, pre,
                     "Call norm_backward once: each call adds to γ's gradient.");
      check.gradient("dW of the sub-layer", layer.weight.gradient, layer.weight.value, pre, once);
    });
