// Layers that multiply; then the library's own, and finite differences.
#include "model/stack.h"
#include "support/checks.h"
#include "support/small_models.h"

static const exercises::Exercise memory_gradient_exercise(
    "3.2.3-memory-gradient", [](exercises::Checks& check) {
      using namespace exercises;
      const auto times = [](double down, double aside) -> LayerBackward {
        return [=](const Tensor& dy) {
          return LayerGradients{tensor_of({1, 1}, {down * dy[0]}),
                                tensor_of({1, 1}, {aside * dy[0]})};
        };
      };
      check.claim(
          "layer 1 passes 2 dy down and 3 dy to z, layer 2 passes 5 dy and 7 dy: dg = 10, dz = 22");
      const DecoderGradients two =
          decoder_backward(tensor_of({1, 1}, {1}), {times(2, 3), times(5, 7)});
      check.number("dg", two.dg[0], 10, "5 · 2.");
      check.number(
          "dz", two.dz[0], 22,
          "7 from the last layer, and 3 times the 5 that it passed down. (17: begin with the last "
          "layer. 15 or 7: both layers look at z.)");
      check.claim("two decoder layers of the library: dz and dg are what finite differences say");
      attn::Decoder decoder(attn::test::small_config());
      attn::test::randomise(decoder, 1);
      const Index d = decoder.layers[0].self_attention_residual.norm.gamma.value.elements();
      Tensor g = random_tensor({3, d}, 2), z = random_tensor({4, d}, 3);
      const Tensor dh = random_tensor({3, d}, 4);
      const Offsets target = {0, 3}, source = {0, 4};
      attn::Decoder::Cache cache;
      const attn::Pass pass{attn::DropoutMasks()};
      const auto loss = [&] {
        return weighted_sum(dh, decoder.forward(g, {target, z, source}, pass, cache));
      };
      loss();
      std::vector<LayerBackward> layers;
      for (std::size_t i = 0; i < decoder.layers.size(); ++i) {
        layers.push_back([&, i](const Tensor& dy) {
          Tensor dz = Tensor::zeros(z.shape());
          Tensor dx = decoder.layers[i].backward(dy, cache.inputs[i], {target, z, source},
                                                 pass.back(), cache.layers[i], dz);
          return LayerGradients{dx, dz};
        });
      }
      const DecoderGradients found = decoder_backward(dh, layers);
      check.gradient("dz", found.dz, z, loss, "");
      check.gradient("dg", found.dg, g, loss, "");
    });
