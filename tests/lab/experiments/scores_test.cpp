#include "lab/experiments/scores.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace attn;

TEST_SUITE("3.2.1 scores compared") {
  TEST_CASE("without 1/√d_k weights are sharper the larger d_k is, with it they are not") {
    const Experiment experiment = compared_scores(true);
    const std::vector<TrialResult> results = run_in_memory(experiment);
    CHECK(results.size() == 12);
    std::map<std::string, std::vector<double>> values;
    for (const TrialResult& result : results) {
      values[result.trial.variant] = result.values;
      REQUIRE(result.values.size() == experiment.measures.size());
      CHECK(result.values[0] >= 0);
      CHECK(result.values[1] <= 1);
      CHECK(result.values[4] > 0);
      CHECK(result.values[6] > 0);
    }
    const auto entropy = [&](const char* variant) { return values.at(variant)[2]; };
    for (const std::string task : {"copy", "reverse"}) {
      CHECK(entropy((task + " dot d_k=64").c_str()) < entropy((task + " dot d_k=4").c_str()) - 0.2);
      CHECK(entropy((task + " dot d_k=64").c_str()) <
            entropy((task + " scaled-dot d_k=64").c_str()) - 0.2);
    }
    const std::string text = scores_text(experiment, results);
    CHECK(text.find("reverse additive d_k=64") != std::string::npos);
    CHECK(text.find("least to most") != std::string::npos);
  }

  TEST_CASE("a trial of scores is a function of its variant and its seed, but for its time") {
    const Experiment experiment = compared_scores(true);
    auto one = *experiment.run({"copy additive d_k=4", 2}, "");
    auto other = *experiment.run({"copy additive d_k=4", 2}, "");
    one[5] = other[5] = 0;
    CHECK(one == other);
    auto third = *experiment.run({"copy additive d_k=4", 3}, "");
    CHECK(third[2] != one[2]);
  }
}
