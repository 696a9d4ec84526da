#include "app/train_warnings.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/small_models.h"
#include "support/stub_model.h"

using namespace attn;
using namespace attn::app;
using namespace attn::test;

TEST_SUITE("3.1 rank collapse") {
  TEST_CASE("the variation of tokens is the share of the squares around their sentence's mean") {
    // Tokens (1, 0) and (0, 1) differ from their mean (½, ½) by ¼ four times, of squares 2; the
    // token (2, 0) is its own mean.
    const Tensor x = tensor_of({3, 2}, {1, 0, 0, 1, 2, 0});
    CHECK(token_variation(x, {0, 2, 3}) == doctest::Approx(1.0 / 6));
    CHECK(token_variation(x, {0, 1, 2, 3}) == 0);
    CHECK(token_variation(tensor_of({2, 2}, {3, -1, -3, 1}), {0, 2}) == 1);
    CHECK(token_variation(Tensor::zeros({2, 2}), {0, 2}) == 0);
    CHECK_THROWS_AS(token_variation(x, {0, 2}), Error);
  }

  TEST_CASE("variations are those of e, of each encoder layer and of z: 0 in a collapsed model") {
    const Batch batch = small_batch();
    const auto variation = [&](const Tensor& x) {
      return token_variation(x, batch.source.offsets);
    };
    for (const NormPlacement norm : {NormPlacement::post, NormPlacement::pre}) {
      TransformerConfig config = small_config();
      config.norm = norm;
      Transformer model = random_model(config);
      // What each layer read, and z, as a backward pass needs them.
      Transformer::Cache cache;
      model.forward(batch, DropoutMasks(), cache);
      std::vector<double> expected;
      for (const EncoderLayer::Cache& layer : cache.encoder) {
        const Residual::Cache& first = layer.self_residual;
        expected.push_back(variation(norm == NormPlacement::post ? first.u : first.x));
      }
      std::vector<double> found = encoder_variations(model, batch);
      if (norm == NormPlacement::pre) found.erase(found.end() - 2);  // read by the last norm alone
      expected.push_back(variation(cache.z));
      CHECK(found == expected);
      CHECK(found.back() > 0.1);

      // All that follows the last γ is then β, whatever the token.
      LayerNorm& last =
          norm == NormPlacement::pre ? model.encoder_norm : model.encoder.back().ffn_residual.norm;
      last.gamma.value.fill(0);
      CHECK(encoder_variations(model, batch).back() == 0);
    }
    // Only a Transformer's layers collapse, and only it has norms to be placed elsewhere.
    CHECK(encoder_variations(StubModel(11, nullptr), batch).empty());
  }
}

TEST_SUITE("loss explosion") {
  TEST_CASE("a loss has exploded above twice that of guessing or ten times the best perplexity") {
    const double guessing = std::log(29), best = 0.7;
    for (const double fine : {best, 2.9, 0.8, best + std::log(10) - 0.01}) {
      CHECK(!has_exploded(fine, guessing, best));
    }
    CHECK(has_exploded(best + std::log(10) + 0.01, guessing, best));
    CHECK(!has_exploded(2 * guessing - 0.01, guessing, 6.7));
    CHECK(has_exploded(2 * guessing + 0.01, guessing, 6.7));
  }
}
