// The whole backward pass against finite differences: layers, then models of every kind.
#ifdef ATTENTION_DOUBLE

#include "support/gradient_check.h"

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("3.1 stacks") {
  TEST_CASE("encoder layer: all gradients agree with finite differences, with all dropouts") {
    const WithThreads one_thread(1);  // small sums are quicker on it
    for (const NormPlacement norm : {NormPlacement::post, NormPlacement::pre}) {
      TransformerConfig config = with_dropout(small_config());
      config.norm = norm;
      config.attention_bias = true;
      EncoderLayer layer(config);
      randomise(layer, 1);
      const AttentionPattern pattern = sentence_by_sentence({0, 3, 4, 9}, {0, 3, 4, 9}, Mask::none);
      Tensor x = random_tensor({9, config.d_model}, 2);
      const std::string errors = layer_errors<EncoderLayer::Cache>(
          layer,
          [&](const Pass& pass, auto& cache) { return layer.forward(x, pattern, pass, cache); },
          [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
            check.tensor("x", x, layer.backward(dy, pattern, pass, cache));
          });
      CHECK(errors == "");
    }
  }

  TEST_CASE("decoder layer: the same, and the gradient of the encoder's output") {
    const WithThreads one_thread(1);  // small sums are quicker on it
    for (const NormPlacement norm : {NormPlacement::post, NormPlacement::pre}) {
      TransformerConfig config = with_dropout(small_config());
      config.norm = norm;
      config.attention_bias = true;
      DecoderLayer layer(config);
      randomise(layer, 1);
      const Offsets offsets = {0, 3, 4, 9}, z_offsets = {0, 1, 5, 7};
      const AttentionPattern self = sentence_by_sentence(offsets, offsets, Mask::causal),
                             cross = sentence_by_sentence(offsets, z_offsets, Mask::none);
      Tensor x = random_tensor({9, config.d_model}, 2), z = random_tensor({7, config.d_model}, 4);
      const std::string errors = layer_errors<DecoderLayer::Cache>(
          layer,
          [&](const Pass& pass, auto& cache) {
            return layer.forward(x, {z, self, cross}, pass, cache);
          },
          [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
            Tensor dz = Tensor::zeros(z.shape());
            check.tensor("x", x, layer.backward(dy, {z, self, cross}, pass, cache, dz));
            check.tensor("z", z, dz);
          });
      CHECK(errors == "");
    }
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("every parameter of every kind of model, with all three dropouts") {
    const WithThreads one_thread(1);  // small sums are quicker on it
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config), 3);
      CHECK(gradient_errors(model, small_batch(), DropoutMasks(5, 6), 1.0 / 9) == "");
    }
  }

  TEST_CASE("the encoder's output collects gradient from all N decoder layers") {
    const WithThreads one_thread(1);  // small sums are quicker on it
    TransformerConfig config = small_config();
    config.layers = 3;
    Transformer model = random_model(config);
    CHECK(gradient_errors(model, small_batch(), DropoutMasks(), 1.0 / 9) == "");
  }
}

#endif
