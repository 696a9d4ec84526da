#include "trace/warning_signs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "layers/multi_head_attention.h"
#include "support/small_models.h"
#include "support/stub_model.h"

using namespace attn;
using namespace attn::test;

namespace {

// The squares of what all tokens of a sentence have in common, over those of what differs.
double odds_of_common(const Tensor& x, const Offsets& offsets) {
  const double variation = token_variation(x, offsets);
  return (1 - variation) / variation;
}

// By what factor Add & Norm(self-attention), fresh, multiplies these odds if all scores are 0, so
// that each head takes a plain mean: the mean over seeds. scale: on the start of W^V.
double growth_of_odds(double scale) {
  constexpr Index kTokens = 32, kModel = 128, kHeads = 4;
  constexpr int kSeeds = 200;
  const Offsets offsets{0, kTokens};
  LayerNorm norm(kModel);
  norm.gamma.value.fill(1);
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    MultiHeadAttention attention(kModel, kHeads, kModel / kHeads, kModel / kHeads, false, 0);
    attention.visit("attention",
                    [&](const std::string& name, Parameter& p) { initialise(name, p, seed); });
    attention.query.weight.value.fill(0);
    Tensor& W = attention.value.weight.value;
    for (Index i = 0; i < W.elements(); ++i) W[i] *= static_cast<Real>(scale);

    // Half of x is common to all tokens.
    Tensor x = random_tensor({kTokens, kModel}, seed);
    const Tensor common = random_tensor({1, kModel}, seed + 1000);
    for (Index t = 0; t < kTokens; ++t) {
      for (Index j = 0; j < kModel; ++j) x(t, j) += common(0, j);
    }
    LayerNorm::Cache unused;
    x = norm.forward(std::move(x), {}, unused);

    MultiHeadAttention::Cache unused_too;
    const AttentionPattern all = sentence_by_sentence(offsets, offsets, Mask::none);
    Tensor y = attention.forward(x, x, all, {}, unused_too);
    add(x, y);
    y = norm.forward(std::move(y), {}, unused);
    sum += odds_of_common(y, offsets) / odds_of_common(x, offsets);
  }
  return sum / kSeeds;
}

}  // namespace

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
        const Residual::Cache& first = layer.self_norm;
        expected.push_back(variation(norm == NormPlacement::post ? first.u : first.x));
      }
      std::vector<double> found = encoder_variations(model, batch);
      if (norm == NormPlacement::pre) found.erase(found.end() - 2);  // read by the last norm alone
      expected.push_back(variation(cache.z));
      CHECK(found == expected);
      CHECK(found.back() > 0.1);

      // All that follows the last γ is then β, whatever the token.
      LayerNorm& last =
          norm == NormPlacement::pre ? model.encoder_norm : model.encoder.back().ffn_norm.norm;
      last.gamma.value.fill(0);
      CHECK(encoder_variations(model, batch).back() == 0);
    }
    // Only a Transformer's layers collapse, and only it has norms to be placed elsewhere.
    CHECK(encoder_variations(StubModel(11, nullptr), batch).empty());
  }

  TEST_CASE("a collapse is seen once, at a variation below the threshold") {
    CollapseWatch watch;
    for (const double fine : {0.3, 1.01 * kCollapsed, 0.1}) CHECK(!watch.sees_collapse(fine));
    CHECK(watch.sees_collapse(0.99 * kCollapsed));
    for (const double later : {0.0, 0.3, 0.0}) CHECK(!watch.sees_collapse(later));
  }

  TEST_CASE("at the start, plain means multiply the odds of the common part by 1 + scale²") {
    CHECK(growth_of_odds(1) == doctest::Approx(1.5).epsilon(0.03));
    CHECK(growth_of_odds(std::sqrt(2.0)) == doctest::Approx(2).epsilon(0.03));
  }
}
