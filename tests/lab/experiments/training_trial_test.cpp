#include "lab/experiments/training_trial.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

#include "lab/experiments/comparison.h"
#include "lab/experiments/plans.h"
#include "model/architectures.h"
#include "storage/atomic_file.h"
#include "support/temporary_directory.h"
#include "text/lines.h"

using namespace attn;
using attn::test::TemporaryDirectory;

namespace {

TrainingTrial small_trial() {
  TrainingTrial trial{preset_settings("transformer", "tiny"), {}};
  for (const char* size : {"d_model", "d_ff"}) trial.model[size] = "16";
  for (const char* size : {"d_k", "d_v"}) trial.model[size] = "4";
  trial.model["layers"] = "1";
  trial.training.task = "copy";
  trial.training.steps = 12;
  trial.training.validate_every = 4;
  trial.training.batch_tokens = 64;
  return trial;
}

}  // namespace

TEST_SUITE("experiments") {
  TEST_CASE("a trial that was stopped goes on to the same weights and results") {
    const TemporaryDirectory directory;
    const auto whole = run_training_trial(small_trial(), directory.path("whole"));
    REQUIRE(whole.has_value());
    TrialEvents events;
    Index steps = 0;
    events.step = [&](const StepReport&) { ++steps; };
    events.stop = [&] { return steps == 5; };
    CHECK(!run_training_trial(small_trial(), directory.path("parts"), events).has_value());
    CHECK(steps == 5);
    events.stop = nullptr;
    const auto parts = run_training_trial(small_trial(), directory.path("parts"), events);
    REQUIRE(parts.has_value());
    CHECK(steps == 12);
    for (const char* measure : {"weights", "test", "longer", "perplexity", "validation"}) {
      CAPTURE(measure);
      CHECK(measured(*parts, measure) == measured(*whole, measure));
    }
    CHECK(measured(*parts, "seconds") > 0);
    const std::string model = "/run/model.safetensors";
    CHECK(read_file(directory.path("parts" + model)) == read_file(directory.path("whole" + model)));
  }

  TEST_CASE("each sentence of the test and the longer set counts once, under its length") {
    const TemporaryDirectory directory;
    REQUIRE(run_training_trial(small_trial(), directory.path()).has_value());
    Index sentences = 0;
    const std::vector<std::string> lines = read_lines(directory.path("lengths.tsv"));
    CHECK(lines.front() == "words\tsentences\tright");
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::vector<std::string> cells = split(lines[i], '\t');
      CHECK(std::stoi(cells[0]) == static_cast<int>(i) + 2);  // from 3 words on
      sentences += std::stoi(cells[1]);
    }
    CHECK(sentences == 1200);
  }

  TEST_CASE("the small Table 3 varies one thing at a time, and trains with the run's seed") {
    const TrainedVariants table = small_table3(false);
    CHECK(table.seeds.size() == 12);
    CHECK(table.variants.front().first == "base");
    const TrainingTrial& base = table.variants.front().second;
    for (const auto& variant : table.variants) {
      const std::string& name = variant.first;
      const TrainingTrial& trial = variant.second;
      CAPTURE(name);
      Settings model = trial.model;
      model["source_vocabulary"] = model["target_vocabulary"] = "991";
      CHECK_NOTHROW(plan_model(model, name));
      int changed = to_settings(trial.training) != to_settings(base.training);
      for (const auto& [setting, value] : trial.model) {
        const bool width = setting == "d_k" || setting == "d_v";
        changed += !width && value != base.model.at(setting);
      }
      const bool widths_only = name[0] == 'B' || name.substr(0, 3) == "d_v";
      CHECK(changed == (name == "base" || widths_only ? 0 : 1));
    }
  }

  TEST_CASE("a chart has a row for each variant and a dot for each seed") {
    Experiment experiment;
    experiment.variants = {"old", "new & better", "not run"};
    experiment.seeds = {1, 2};
    experiment.measures = {"score"};
    const std::vector<TrialResult> results{
        {{"old", 1}, {0.25}}, {{"old", 2}, {0.5}}, {{"new & better", 1}, {0.75}}};
    const std::string chart = comparison_chart(experiment, results, "Title", "score");
    for (const char* part : {"old", "new &amp; better", "not run", "Title"}) {
      CHECK(chart.find(part) != std::string::npos);
    }
    int dots = 0;
    for (std::size_t at = 0; (at = chart.find("<circle", at)) != std::string::npos; ++at) ++dots;
    CHECK(dots == 3);
    CHECK_THROWS_AS(comparison_chart(experiment, {}, "Title", "score"), Error);
  }
}
