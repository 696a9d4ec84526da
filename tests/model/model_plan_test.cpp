// The factory that makes a model from the settings of a file.
#include "model/model_plan.h"

#include <doctest/doctest.h>

#include "support/model_check.h"
#include "support/small_models.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("training") {
  TEST_CASE("the settings of a model make the same model again") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      const Transformer model = random_model(small.config);
      const bool learned = small.config.positions == Positions::learned;
      CHECK(model.facts.longest_sentence == (learned ? small.config.max_positions : kAnyLength));
      check_made_again(model, plan_transformer);
    }
  }

  TEST_CASE("settings of which no model can be made are refused by name") {
    const Settings good = Transformer(small_config()).facts.settings;
    const auto refuses = [&](const std::string& name, const char* value, const std::string& why) {
      CAPTURE(name);
      Settings bad = good;
      bad.erase(name);
      if (value != nullptr) bad[name] = value;
      CHECK_ERROR(make_model(bad, "a file"), Contains(why.c_str()));
      CHECK_ERROR(make_model(bad, "a file"), Contains("a file: "));
    };
    refuses("architecture", nullptr, "'architecture' is missing");
    refuses("architecture", "perceptron", "unknown architecture 'perceptron'");
    refuses("heads", nullptr, "'heads' is missing");
    refuses("heads", "0", "heads must be");
    refuses("colour", "blue", "unknown setting 'colour'");
    refuses("positions", "alibi",
            "positions: expected one of sinusoidal, learned, none, rotary, not 'alibi'");
    CHECK_ERROR(make_model(good, "a file", plan_transformer, 10), Contains("asks for"));
  }

  TEST_CASE("a setting that earlier versions had is read where it changes nothing, else refused") {
    const Settings good = Transformer(small_config()).facts.settings;
    Settings older = good;
    older["window"] = "0";
    CHECK(make_model(older, "a file")->facts.settings == good);
    older["window"] = "2";
    CHECK_ERROR(make_model(older, "a file"),
                "a file: the setting 'window' is '2', but this version has no such "
                "setting: it reads models in which it is '0'");
  }
}
