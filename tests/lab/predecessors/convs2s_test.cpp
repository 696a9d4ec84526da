#include "lab/predecessors/convs2s.h"

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "lab/models.h"
#include "lab/support/predecessors_logits.h"
#include "support/decoding_check.h"
#include "support/gradient_check.h"
#include "support/model_check.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

namespace {

ConvS2SConfig small_convs2s(double dropout = 0) {
  ConvS2SConfig config;
  config.source_vocabulary = 11;
  config.target_vocabulary = 13;
  config.layers = 2;
  config.d_model = 6;
  config.encoder_kernel = 5;
  config.decoder_kernel = 3;
  config.dropout = dropout;
  config.max_positions = 20;
  return config;
}

ConvS2SConfig tied_convs2s(double dropout = 0) {
  ConvS2SConfig config = small_convs2s(dropout);
  config.source_vocabulary = 13;
  config.tie_embeddings = true;
  return config;
}

ConvS2S random_convs2s(const ConvS2SConfig& config) {
  ConvS2S model(config);
  model.visit_parameters([](const std::string& name, Parameter& p) {
    p.value = random_tensor(p.value.shape(), hash(name), 0.3);
  });
  zero_gradients(model);
  return model;
}

}  // namespace

TEST_SUITE("2 background: ConvS2S") {
  TEST_CASE("ConvS2S has the weights that its formula counts") {
    ConvS2S model(small_convs2s());
    CHECK(count_parameters(model) == parameter_count(small_convs2s()));
    ConvS2S tied(tied_convs2s());
    CHECK(count_parameters(tied) == parameter_count(tied_convs2s()));
    CHECK(count_parameters(model) - count_parameters(tied) == 6 * (11 + 13));
  }

  TEST_CASE("ConvS2S's settings become text and come back; impossible ones are refused") {
    const ConvS2SConfig config = small_convs2s(0.25);
    const Settings settings = ConvS2S(config).facts.settings;
    CHECK(settings.at("architecture") == "convs2s");
    CHECK(settings.at("encoder_kernel") == "5");
    CHECK(to_settings(from_settings<ConvS2SConfig>(settings, "here")) == to_settings(config));
    CHECK(make_model(settings, "here", plan_any_model)->facts.longest_sentence == 20);
    CHECK_ERROR(make_model(settings, "here", plan_any_model, 1000), Contains("asks for"));
    const auto refused = [&](const char* name, const char* value) {
      Settings changed = settings;
      changed[name] = value;
      CHECK_THROWS_AS(from_settings<ConvS2SConfig>(changed, "here"), Error);
    };
    refused("encoder_kernel", "4");
    refused("decoder_kernel", "0");
    refused("layers", "0");
    refused("d_model", "-1");
    refused("dropout", "1");
    refused("source_vocabulary", "2");
    refused("max_positions", "0");
    refused("tie_embeddings", "yes");  // the languages have different vocabularies
    Settings missing = settings;
    missing.erase("decoder_kernel");
    CHECK_ERROR(from_settings<ConvS2SConfig>(missing, "here"),
                "here: the setting 'decoder_kernel' is missing");
  }

  TEST_CASE("at first, ConvS2S is about as sure of every word: its loss is about ln V") {
    ConvS2SConfig config = small_convs2s();
    config.layers = 4;
    config.d_model = 64;
    config.label_smoothing = 0;
    ConvS2S model(config);
    initialise_parameters(model, 1);
    const LossSums sums = model.loss(small_batch());
    CHECK(std::abs(sums.loss / static_cast<double>(sums.tokens) - std::log(13.0)) < 0.3);
  }

  TEST_CASE("ConvS2S: no target word changes an earlier output; a source word reaches every one") {
    for (const int count : {1, 3}) {
      const WithThreads with(count);
      const ConvS2S model = random_convs2s(small_convs2s(0.2));
      for (const DropoutMasks& masks : {DropoutMasks(), DropoutMasks(3, 4)}) {
        check_causal([&](const Batch& batch) {
          ConvS2S::Cache unused;
          return model.forward(batch, masks, unused);
        });
      }
      check_sources([&](const Batch& batch) { return logits_of(model, batch); });
    }
  }

  TEST_CASE("ConvS2S: neither batch nor threads change a bit; each pass has its masks") {
    check_alone(random_convs2s(small_convs2s()), small_batch());
    check_empty_source(random_convs2s(small_convs2s()));
    check_dropout(random_convs2s(small_convs2s(0.3)));
    ConvS2SConfig config = small_convs2s(0.2);
    config.d_model = 70;
    config.max_positions = 80;
    check_threads(random_convs2s(config), random_pairs({31, 1, 60, 17}, 79));
  }

  TEST_CASE("ConvS2S: cached decoding equals the full pass at every step, bit for bit") {
    Decoding decoding(random_convs2s(small_convs2s(0.2)),
                      kSources);  // dropout is off whatever the configuration says
    check_moves(decoding,
                {{{0, 0, 1, 2, 2}, 1}, {{4, 3, 2, 1, 0}, 1}, {{1, 1, 1}, 1}, {{2, 0, 1, 0}, 17}});
    CHECK_ERROR(decoding.reorder({4}), "no row 4 in the decoding state");
    CHECK_THROWS_AS(decoding.next({1, 1}), Error);
    CHECK_ERROR(decoding.step_agrees(),
                "the sentence is longer than the 20 positions that the model has learned");
    Decoding tied(random_convs2s(tied_convs2s()), kSources);
    for (int step = 0; step < 5; ++step) REQUIRE(tied.step_agrees());
    check_moves(tied, {{{}, 1}});  // when the last row is finished, a step for none is possible
  }

  TEST_CASE("ConvS2S's attention, by hand: equal scores give √m times the mean of z + e") {
    ConvS2SAttention attention(1);
    attention.query.weight.value = tensor_of({1, 1}, {0});
    attention.query.bias.value = tensor_of({1}, {2});
    const Tensor h = tensor_of({1, 1}, {5}), g = tensor_of({1, 1}, {-2});  // d = 2 − 2 = 0
    const Tensor z = tensor_of({4, 1}, {1, 2, 3, 4}), v = tensor_of({4, 1}, {8, 4, 4, 8});
    ConvS2SAttention::Cache unused;
    const Tensor c =
        attention.forward(h, g, {z, v, looks_of_sentences({0, 1}, {0, 4})}, Pass(), unused);
    CHECK(static_cast<double>(c[0]) == doctest::Approx(12));
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("ConvS2S: every gradient agrees with finite differences") {
    for (const ConvS2SConfig& config : {small_convs2s(), small_convs2s(0.2), tied_convs2s(0.2)}) {
      ConvS2S model = random_convs2s(config);
      CHECK(gradient_errors(model, small_batch(), DropoutMasks(3, 4), 1) == "");
    }
  }

  TEST_CASE("ConvS2S's attention: dh, dg, dz, dv, dW and db agree with finite differences") {
    constexpr Index d = 4;
    ConvS2SAttention attention(d);
    randomise(attention, 1);
    const Offsets target = {0, 3, 4, 5}, source = {0, 2, 6, 6};
    const Looks looks = looks_of_sentences(target, source);
    Tensor h = random_tensor({5, d}, 1), g = random_tensor({5, d}, 2);
    Tensor z = random_tensor({6, d}, 3), v = random_tensor({6, d}, 4);
    const std::string errors = layer_errors<ConvS2SAttention::Cache>(
        attention,
        [&](const Pass& pass, auto& cache) {
          return attention.forward(h, g, {z, v, looks}, pass, cache);
        },
        [&](const Tensor& dc, const Pass& pass, auto& cache, GradientCheck& check) {
          Tensor dg = Tensor::zeros(g.shape()), dz = Tensor::zeros(z.shape()), dv = dz;
          check.tensor("h", h, attention.backward(dc, h, {z, v, looks}, pass, cache, dg, dz, dv));
          check.tensor("g", g, dg);
          check.tensor("z", z, dz);
          check.tensor("v", v, dv);
        });
    CHECK(errors == "");
  }
#endif
}
