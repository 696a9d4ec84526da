#include "lab/experiments/scores.h"

#include <doctest/doctest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
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

  TEST_CASE("a measure that diverged with a seed has no mean, and says so") {
    const double infinity = std::numeric_limits<double>::infinity();
    const Experiment experiment{{"dot", "additive"}, {1, 2}, compared_scores(true).measures, {}};
    const std::vector<TrialResult> results{{{"dot", 1}, {0.5, 0.75, 1, 1, infinity, 1, 1}},
                                           {{"dot", 2}, {0.5, 0.25, 1, 1, 1, 1, 1}},
                                           {{"additive", 1}, std::vector<double>(7, std::nan(""))},
                                           {{"additive", 2}, {0.5, 0.25, 1, 1, 1, 1, 1}}};
    std::istringstream lines(scores_text(experiment, results));
    std::string heading, dot, additive;
    std::getline(lines, heading);
    std::getline(lines, dot);
    std::getline(lines, additive);
    const auto words = [](const std::string& line) {
      std::istringstream all(line);
      return std::vector<std::string>(std::istream_iterator<std::string>(all), {});
    };
    CHECK(words(dot) == std::vector<std::string>{"dot", "0.500", "0.500", "0.250", "to", "0.750",
                                                 "1.000", "1.000", "diverged", "1.00", "1"});
    CHECK(words(additive) == std::vector<std::string>{"additive", "diverged", "diverged",
                                                      "diverged", "diverged", "diverged",
                                                      "diverged", "diverged"});
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
