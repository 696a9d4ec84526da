// Layers that multiply; then the library's own, and finite differences.
#include "model/decoder_layer.h"
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
      const Tensor one = tensor_of({1, 1}, {1});
      const DecoderGradients two = decoder_backward(one, {times(2, 3), times(5, 7)});
      check.number("dg", two.dg[0], 10, "5 · 2.");
      check.number(
          "dz", two.dz[0], 22,
          "7 from the last layer, and 3 times the 5 that it passed down. (17: begin with the last "
          "layer. 15 or 7: both layers look at z.)");
      check.claim("a third layer on top passes 11 dy and 13 dy: dg = 110, dz = 13 + 11 · 22 = 255");
      const DecoderGradients three =
          decoder_backward(one, {times(2, 3), times(5, 7), times(11, 13)});
      check.number("dg", three.dg[0], 110, "11 · 5 · 2.");
      check.number("dz", three.dz[0], 255,
                   "Every layer's dz is added: 13, then 7 · 11, then 3 · 5 · 11.");
      check.claim("a single layer: its gradients are the result");
      const DecoderGradients alone = decoder_backward(one, {times(2, 3)});
      check.number("dg", alone.dg[0], 2, "");
      check.number("dz", alone.dz[0], 3, "");
      check.claim("four decoder layers of the library: dz and dg agree with finite differences");
      const attn::TransformerConfig config = attn::test::small_config();
      std::vector<attn::DecoderLayer> decoder(4, attn::DecoderLayer(config));
      for (std::size_t i = 0; i < decoder.size(); ++i) attn::test::randomise(decoder[i], i + 1);
      const Index d = config.d_model;
      Tensor g = random_tensor({3, d}, 2), z = random_tensor({4, d}, 3);
      const Tensor dh = random_tensor({3, d}, 4);
      const attn::AttentionPattern self = attn::sentence_by_sentence({0, 3}, {0, 3},
                                                                     attn::Mask::causal),
                                   cross =
                                       attn::sentence_by_sentence({0, 3}, {0, 4}, attn::Mask::none);
      std::vector<attn::DecoderLayer::Cache> cache(decoder.size());
      const attn::Pass pass{attn::DropoutMasks()};
      const auto loss = [&] {
        Tensor h = g;
        for (std::size_t i = 0; i < decoder.size(); ++i) {
          h = decoder[i].forward(h, {z, self, cross}, pass, cache[i]);
        }
        return weighted_sum(dh, h);
      };
      loss();
      std::vector<LayerBackward> layers;
      for (std::size_t i = 0; i < decoder.size(); ++i) {
        layers.push_back([&, i](const Tensor& dy) {
          Tensor dz = Tensor::zeros(z.shape());
          Tensor dx = decoder[i].backward(dy, {z, self, cross}, pass, cache[i], dz);
          return LayerGradients{dx, dz};
        });
      }
      const DecoderGradients found = decoder_backward(dh, layers);
      check.gradient("dz", found.dz, z, loss, "");
      check.gradient("dg", found.dg, g, loss, "");
    });
