#include "lab/experiments/comparison.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/check.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

namespace {

Experiment of_variants(const std::vector<std::string>& variants) {
  return {variants, {1, 2, 3, 4, 5, 6}, {"score", "loss"}, {}};
}

}  // namespace

TEST_SUITE("experiments") {
  TEST_CASE("variants are compared seed by seed, with those seeds alone that all have") {
    const Experiment experiment = of_variants({"old", "new = 1"});
    std::vector<TrialResult> results;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const double score = 10.0 * static_cast<double>(seed);
      results.push_back({{"old", seed}, {score, 0}});
      if (seed != 4) results.push_back({{"new = 1", seed}, {score + 1, 0}});
    }
    using Values = std::map<std::uint64_t, double>;
    CHECK(values_of(experiment, results, "new = 1", "score") ==
          Values{{1, 11}, {2, 21}, {3, 31}, {5, 51}, {6, 61}});
    // With the old one's value for seed 4 too, the mean difference would be another.
    const std::string said = comparison_text(experiment, results, "score");
    CHECK(contains(said, "+1.0000  1.0000 to 1.0000  0.062"));  // 2 of 2^5
    CHECK(contains(said, "35.0000"));
    // Of 10, 20, … 60: 2.5706 · 18.7083/√6 on either side.
    CHECK(contains(said, "15.3667 to 54.6333"));
    CHECK_THROWS_WITH_AS(comparison_text(experiment, results, "time"),
                         "the experiment does not measure time", Error);
  }

  TEST_CASE("what would be found in 80 % of experiments is in units of the measure") {
    const Experiment experiment = of_variants({"old", "new"});
    std::vector<TrialResult> results;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      results.push_back({{"old", seed}, {0, 0}});
      results.push_back({{"new", seed}, {0.1 * static_cast<double>(seed), 0}});
    }
    const std::string said = comparison_text(experiment, results, "score");
    // 1.79 · 0.1871
    const std::size_t end = said.rfind(' ');
    CHECK(std::abs(std::stod(said.substr(end)) - 1.792 * 0.18708) < 0.02);
  }

  TEST_CASE("one seed has no interval and no p") {
    const std::vector<TrialResult> results{{{"old", 1}, {0.5, 0}}, {{"new", 1}, {0.75, 0}}};
    const std::string said = comparison_text(of_variants({"old", "new"}), results, "score");
    CHECK(contains(
        said, "0.7500              –     +0.2500              –  –         –              –\n"));
    CHECK(!contains(said, " to "));
  }

  TEST_CASE("a variant that diverged comes last, says so and takes no seed from the others") {
    const Experiment experiment = of_variants({"old", "wild", "new"});
    std::vector<TrialResult> results;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const double score = 10.0 * static_cast<double>(seed);
      results.push_back({{"old", seed}, {score, 0}});
      results.push_back({{"new", seed}, {score + 1, 0}});
      if (seed < 4) results.push_back({{"wild", seed}, {seed == 2 ? std::nan("") : score, 0}});
    }
    const std::string said = comparison_text(experiment, results, "score");
    CHECK(contains(said, "wild   3  diverged         with 1 of 3\n"));
    CHECK(said.find("new") < said.find("wild"));
    CHECK(contains(said, "+1.0000  1.0000 to 1.0000  0.031"));  // 2 of 2^6
    const std::string chart = comparison_chart(experiment, results, "Title", "score");
    CHECK(contains(chart, "wild: diverged"));
    CHECK(!contains(chart, "nan"));
    CHECK(chart.find(">new<") < chart.find(">wild: "));

    // A baseline that diverged stays first, and nothing is compared with it.
    const Experiment other = of_variants({"wild", "new"});
    const std::string alone = comparison_text(other, results, "score");
    CHECK(alone.find("wild") < alone.find("new"));
    CHECK(!contains(alone, "0.031"));
    CHECK(contains(comparison_chart(of_variants({"wild"}), results, "Title", "score"), "</svg>"));
  }
}
