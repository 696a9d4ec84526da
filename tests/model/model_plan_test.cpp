// The factory that makes a model from the settings of a file.
#include "model/model_plan.h"

#include <doctest/doctest.h>

#include "support/model_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("training") {
  TEST_CASE("the settings of a model make the same model again") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(small.config);
      const auto made = make_model(model.facts.settings, "test");
      CHECK(made->facts.settings == model.facts.settings);
      CHECK(made->facts.source_vocabulary == small.config.source_vocabulary);
      CHECK(made->facts.target_vocabulary == small.config.target_vocabulary);
      CHECK(made->facts.d_model == small.config.d_model);
      const bool learned = small.config.positions == Positions::learned;
      CHECK(made->facts.longest_sentence == (learned ? small.config.max_positions : kAnyLength));

      // With the same weights, it computes the same loss.
      const auto weights = weights_by_name(model);
      made->visit_parameters(
          [&](const std::string& name, Parameter& p) { p.value = weights.at(name); });
      CHECK(made->loss(small_batch()).loss == model.loss(small_batch()).loss);
    }
  }

  TEST_CASE("settings of which no model can be made are refused by name") {
    const Settings good = Transformer(small_config()).facts.settings;
    const auto refuses = [&](const std::string& name, const char* value, const std::string& why) {
      CAPTURE(name);
      Settings bad = good;
      bad.erase(name);
      if (value != nullptr) bad[name] = value;
      CHECK_THROWS_WITH_AS(make_model(bad, "a file"), doctest::Contains(why.c_str()), Error);
      CHECK_THROWS_WITH_AS(make_model(bad, "a file"), doctest::Contains("a file: "), Error);
    };
    refuses("architecture", nullptr, "'architecture' is missing");
    refuses("architecture", "perceptron", "unknown architecture 'perceptron'");
    refuses("heads", nullptr, "'heads' is missing");
    refuses("heads", "0", "heads must be");
    refuses("colour", "blue", "unknown setting 'colour'");
    refuses("positions", "alibi",
            "positions: expected one of sinusoidal, learned, none, rotary, not 'alibi'");
    CHECK_THROWS_WITH_AS(make_model(good, "a file", plan_transformer, 10),
                         doctest::Contains("asks for"), Error);
  }

  TEST_CASE("a setting that earlier versions had is read where it changes nothing, else refused") {
    const Settings good = Transformer(small_config()).facts.settings;
    Settings older = good;
    older["window"] = "0";
    CHECK(make_model(older, "a file")->facts.settings == good);
    older["window"] = "2";
    CHECK_THROWS_WITH_AS(make_model(older, "a file"),
                         "a file: the setting 'window' is '2', but this version has no such "
                         "setting: it reads models in which it is '0'",
                         Error);
  }
}
