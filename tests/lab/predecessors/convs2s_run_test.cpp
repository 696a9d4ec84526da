// ConvS2S goes through the same trainer, files and search as the Transformer.
#include <doctest/doctest.h>

#include "lab/defaults.h"
#include "lab/models.h"
#include "lab/predecessors/convs2s.h"
#include "support/run_check.h"

using namespace attn;
using namespace attn::test;

namespace {

ConvS2SConfig tiny_convs2s() {
  ConvS2SConfig config;
  config.source_vocabulary = 11;
  config.target_vocabulary = 11;
  config.layers = 2;
  config.d_model = 16;
  config.dropout = 0;
  config.label_smoothing = 0;
  return config;
}

}  // namespace

TEST_SUITE("2 background: ConvS2S") {
  TEST_CASE("a ConvS2S run that was stopped, saved and resumed is the run without the stop") {
    ConvS2SConfig config = tiny_convs2s();
    config.dropout = 0.2;
    check_resumed<ConvS2S>(TemporaryDirectory(), config, 4, 2, plan_any_model);
  }

  TEST_CASE("ConvS2S learns: the loss of one batch falls to nearly the least") {
    check_learns<ConvS2S>(tiny_convs2s(), 100);
  }

  TEST_CASE(
      "a preset's ConvS2S has its layers, width and dropout, and as many positions as asked") {
    Settings settings = changed_preset("convs2s", "small", {}, all_architectures());
    CHECK(settings.at("layers") == "3");
    CHECK(settings.at("d_model") == "256");
    CHECK(settings.count("heads") == 0);
    settings["max_positions"] = "77";
    CHECK(plan_any_model(with_any_vocabulary(settings), "here").facts.longest_sentence == 77);
    settings["source_vocabulary"] = settings["target_vocabulary"] = "20";
    CHECK(make_model(settings, "here", plan_any_model)->facts.longest_sentence == 77);
    CHECK_THROWS_WITH_AS(make_model(settings, "here", plan_any_model, 1000),
                         doctest::Contains("asks for"), Error);
    CHECK(training_memory(plan_any_model(settings, "here").facts, 1000, 50, 0) > 1e6);
    settings["encoder_kernel"] = "2";
    CHECK_THROWS_WITH_AS(plan_any_model(settings, "here"),
                         "here: encoder_kernel must be odd, around a position, not 2", Error);
  }
}
