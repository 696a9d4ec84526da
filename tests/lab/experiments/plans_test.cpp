#include "lab/experiments/plans.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "base/check.h"
#include "model/architectures.h"
#include "model/sequence_model.h"
#include "tasks/task.h"

using namespace attn;

namespace {

Index weights(Settings model, const std::string& task) {
  model["source_vocabulary"] = model["target_vocabulary"] =
      std::to_string(find_task(task).tokenizer.size());
  return count_parameters(*make_model(model, "test"));
}

TrialResult swept(const std::string& variant, double validation) {
  std::vector<double> values(kTrainingMeasures.size(), 0.5);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (kTrainingMeasures[i] == "validation") values[i] = validation;
  }
  return {{variant, 11}, values};
}

}  // namespace

TEST_SUITE("experiments") {
  TEST_CASE("every rung of the ladder has the weights of the Transformer within a tenth") {
    for (const char* task : {"reverse", "phrasebook"}) {
      CAPTURE(task);
      const TrainedVariants all = ladder(task, false);
      CHECK(all.seeds.size() == 6);
      REQUIRE(all.variants.size() == 7);
      CHECK(all.variants.front().first == "transformer");
      const TrainingTrial& baseline = all.variants.front().second;
      const Index wanted = weights(baseline.model, task);
      for (const auto& variant : all.variants) {
        const std::string& name = variant.first;
        const TrainingTrial& trial = variant.second;
        CAPTURE(name);
        CHECK(10 * std::abs(weights(trial.model, task) - wanted) <= wanted);
        CHECK(name.substr(0, name.find(' ')) == trial.model.at("architecture"));
        CHECK(trial.model.at("dropout") == baseline.model.at("dropout"));
        CHECK(to_settings(trial.training) == to_settings(baseline.training));
        CHECK(trial.training.solved_after == 0);
      }
    }
  }

  TEST_CASE("both ways, a Transformer and two decoder-only models have exactly as many weights") {
    for (const char* task : {"copy", "reverse", "phrasebook"}) {
      CAPTURE(task);
      const TrainedVariants all = at_scales(one_stack(task, false), {{"decoder all", "0.7"}});
      CHECK(all.seeds.size() == 12);
      REQUIRE(all.variants.size() == 3);
      const TrainingTrial& baseline = all.variants[0].second;
      CHECK(baseline.model.at("architecture") == "transformer");
      for (std::size_t i = 1; i < 3; ++i) {
        TrainingTrial trial = all.variants[i].second;
        CHECK(trial.model.at("architecture") == "decoder");
        CHECK(trial.model.at("loss") == (i == 1 ? "target" : "all"));
        CHECK(trial.model.at("d_model") == baseline.model.at("d_model"));
        CHECK(weights(trial.model, task) == weights(baseline.model, task));
        CHECK(trial.training.learning_rate_scale ==
              (i == 1 ? baseline.training.learning_rate_scale : 0.7));
        trial.training.learning_rate_scale = baseline.training.learning_rate_scale;
        CHECK(to_settings(trial.training) == to_settings(baseline.training));
      }
      CHECK(swept(one_stack(task, false), 13, false).variants.size() == 18);
    }
  }

  TEST_CASE("the ladder takes of each rung the rate with the smallest perplexity of validation") {
    const Settings scales =
        best_scales({swept("lstm none x 0.175", 3), swept("lstm none x 0.35", 2),
                     swept("transformer x 0.0875", 4), swept("lstm none x 0.7", 2.5)});
    CHECK(scales == Settings{{"lstm none", "0.35"}, {"transformer", "0.0875"}});
    const TrainedVariants all = at_scales(ladder("reverse", false), scales);
    CHECK(all.variants[0].second.training.learning_rate_scale == 0.0875);
    CHECK(all.variants[1].first == "lstm none");
    CHECK(all.variants[1].second.training.learning_rate_scale == 0.35);
    // A trial that diverged comes after every other, and a rung of which all did has no rate.
    const double diverged = std::nan("");
    CHECK(best_scales({swept("gru bahdanau x 2.8", diverged), swept("gru bahdanau x 0.7", 9),
                       swept("gru bahdanau x 1.4", INFINITY), swept("convs2s x 2.8", diverged)}) ==
          Settings{{"gru bahdanau", "0.7"}});
    CHECK_THROWS_WITH_AS(best_scales({swept("lstm none", 3)}),
                         "'lstm none' is not a trial of a sweep", Error);
  }

  TEST_CASE("the sweep trains every rung with every rate, half as long, with a seed of its own") {
    const TrainedVariants all = ladder("reverse", false);
    const TrainedVariants sweep = swept(all, 11, false);
    CHECK(sweep.variants.size() == 6 * all.variants.size());
    CHECK(sweep.seeds == std::vector<std::uint64_t>{11});
    for (const auto& variant : sweep.variants) {
      const std::string& name = variant.first;
      const TrainingTrial& trial = variant.second;
      CAPTURE(name);
      CHECK(trial.training.steps * 2 == all.variants[0].second.training.steps);
    }
    CHECK(sweep.variants[6].first == "lstm none x 0.0875");
    CHECK(sweep.variants[6].second.training.learning_rate_scale == 0.0875);
    CHECK(sweep.variants[6].second.model == all.variants[1].second.model);
  }
}
