// The predecessors go through the same trainer, files and search as the Transformer.
#include <doctest/doctest.h>

#include "examples/load_transformer.h"
#include "lab/defaults.h"
#include "lab/models.h"
#include "lab/predecessors/convs2s.h"
#include "lab/support/small_recurrent_models.h"
#include "support/run_check.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("2 predecessors") {
  TEST_CASE("a recurrent run that was stopped, saved and resumed is the run without the stop") {
    for (const SmallRecurrentModel& small : small_recurrent_models()) {
      CAPTURE(small.name);
      const TemporaryDirectory directory;
      RecurrentConfig config = small.config;
      config.dropout = 0.2;
      check_resumed<RecurrentModel>(directory, config, 4, 2, plan_any_model);
      CHECK_ERROR(load_transformer(directory.path("whole")), Contains("unknown architecture"));
    }
  }
}

TEST_SUITE("2 background: ConvS2S") {
  TEST_CASE("a ConvS2S run that was stopped, saved and resumed is the run without the stop") {
    ConvS2SConfig config;
    config.layers = 2;
    config.d_model = 16;
    config.dropout = 0.2;
    check_resumed<ConvS2S>(TemporaryDirectory(), config, 4, 2, plan_any_model);
  }

  TEST_CASE("a preset's ConvS2S has its layers, width and dropout, and the positions asked for") {
    Settings settings = changed_preset("convs2s", "small", {}, all_architectures());
    CHECK(settings.at("layers") == "3");
    CHECK(settings.at("d_model") == "256");
    CHECK(settings.count("heads") == 0);
    settings["max_positions"] = "77";
    CHECK(plan_any_model(with_any_vocabulary(settings), "here").facts.longest_sentence == 77);
    settings["source_vocabulary"] = settings["target_vocabulary"] = "20";
    CHECK(make_model(settings, "here", plan_any_model)->facts.longest_sentence == 77);
    CHECK_ERROR(make_model(settings, "here", plan_any_model, 1000), Contains("asks for"));
    CHECK(training_memory(plan_any_model(settings, "here").facts, 1000, 50, 0) > 1e6);
    settings["encoder_kernel"] = "2";
    CHECK_ERROR(plan_any_model(settings, "here"),
                "here: encoder_kernel must be odd, around a position, not 2");
  }
}
