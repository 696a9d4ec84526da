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
      const Offsets offsets = {0, 3, 4, 9};
      Tensor x = random_tensor({9, config.d_model}, 2);
      const Tensor dy = random_tensor({9, config.d_model}, 3);
      const Pass pass(DropoutMasks(5, 6));
      EncoderLayer::Cache cache;
      layer.forward(x, offsets, pass, cache);
      const Tensor dx = layer.backward(dy, x, offsets, pass.back(), cache);
      GradientCheck check;
      check.tensor("x", x, dx);
      check.parameters("layer", layer);
      CHECK(check.errors([&] {
        EncoderLayer::Cache unused;
        return weighted_sum(dy, layer.forward(x, offsets, DropoutMasks(5, 6), unused));
      }) == "");
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
      Tensor x = random_tensor({9, config.d_model}, 2), z = random_tensor({7, config.d_model}, 4);
      const Tensor dy = random_tensor({9, config.d_model}, 3);
      const DecoderLayer::Context context{offsets, z, z_offsets};
      const Pass pass(DropoutMasks(5, 6));
      DecoderLayer::Cache cache;
      layer.forward(x, context, pass, cache);
      Tensor dz = Tensor::zeros(z.shape());
      const Tensor dx = layer.backward(dy, x, context, pass.back(), cache, dz);
      GradientCheck check;
      check.tensor("x", x, dx);
      check.tensor("z", z, dz);
      check.parameters("layer", layer);
      CHECK(check.errors([&] {
        DecoderLayer::Cache unused;
        return weighted_sum(dy, layer.forward(x, context, DropoutMasks(5, 6), unused));
      }) == "");
    }
  }

  TEST_CASE("the encoder's output collects gradient from all N decoder layers") {
    const WithThreads one_thread(1);  // small sums are quicker on it
    TransformerConfig config = small_config();
    config.layers = 3;
    Decoder decoder(config);
    randomise(decoder, 1);
    const Offsets offsets = {0, 3, 4}, z_offsets = {0, 1, 5};
    Tensor g = random_tensor({4, config.d_model}, 2), z = random_tensor({5, config.d_model}, 4);
    const Tensor dh = random_tensor({4, config.d_model}, 3);
    const DecoderLayer::Context context{offsets, z, z_offsets};
    const Pass pass{DropoutMasks()};
    const auto forward = [&](Decoder::Cache& cache) {
      return decoder.forward(g, context, pass, cache);
    };
    Decoder::Cache cache;
    forward(cache);
    Tensor dz = Tensor::zeros(z.shape());
    const Tensor dg = decoder.backward(dh, context, pass.back(), cache, dz);
    GradientCheck check;
    check.tensor("g", g, dg);
    check.tensor("z", z, dz);
    CHECK(check.errors([&] {
      Decoder::Cache unused;
      return weighted_sum(dh, forward(unused));
    }) == "");
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE(
      "what backward needs is in the cache: one layer, run twice in a step, has both gradients") {
    const WithThreads one_thread(1);  // small sums are quicker on it
    TransformerConfig config = with_dropout(small_config());
    EncoderLayer layer(config);
    randomise(layer, 1);
    const Offsets offsets = {0, 3, 4};
    Tensor x = random_tensor({4, config.d_model}, 2);
    const Tensor dy = random_tensor({4, config.d_model}, 3);
    struct Caches {
      EncoderLayer::Cache first, second;
      Tensor middle;
    };
    const auto forward = [&](Caches& caches) {
      const Pass pass(DropoutMasks(5, 6));
      caches.middle = layer.forward(x, offsets, pass, caches.first);
      return layer.forward(caches.middle, offsets, pass, caches.second);
    };
    Caches caches;
    forward(caches);
    const Tensor dmiddle = layer.backward(dy, caches.middle, offsets, Pass().back(), caches.second);
    const Tensor dx = layer.backward(dmiddle, x, offsets, Pass().back(), caches.first);
    GradientCheck check;
    check.tensor("x", x, dx);
    check.parameters("layer", layer);
    CHECK(check.errors([&] {
      Caches unused;
      return weighted_sum(dy, forward(unused));
    }) == "");
  }

  TEST_CASE("every parameter of every kind of model, with all three dropouts") {
    const WithThreads one_thread(1);  // small sums are quicker on it
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config), 3);
      CHECK(gradient_errors(model, small_batch(), DropoutMasks(5, 6), 1.0 / 9) == "");
    }
  }
}

#endif
