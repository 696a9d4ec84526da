// The numbers of chapter 6.2.
//
//     example-6.2 table     Table 3's rows, the weights printed there, and those of a formula
//     example-6.2 signs     the sign-flip test of three differences: the choices that flip the last
//                           one give the same distances
//     example-6.2 results EXPERIMENT [TASK] MEASURE
//                           every variant's mean and interval, and how it compares, from the trials
//                           in data/measurements (run where data/ is): table3, architectures
//     example-6.2 longer    what the predecessors get right after up to 20,000 steps
//     example-6.2 values    numbers as KEY = VALUE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "examples/table3.h"
#include "lab/experiments/comparison.h"
#include "lab/experiments/statistics.h"
#include "table.h"
#include "trials.h"

using namespace attn;

namespace {

// A vocabulary that reproduces all counts but big's.
constexpr Index kVocabulary = 41100;
const std::vector<double> kDifferences{0.03, 0.01, -0.01};

double millions(TransformerConfig config) {
  config.source_vocabulary = config.target_vocabulary = kVocabulary;
  return static_cast<double>(parameter_count(config)) / 1e6;
}

void print_table() {
  std::printf("%-20s %9s %9s\n", "", "the paper", "counted");
  for (const Table3Row& row : table3_rows()) {
    const std::string printed = row.millions == 0 ? "" : std::to_string(row.millions);
    std::printf("%-20s %9s %9.1f\n", row.label.c_str(), printed.c_str(), millions(row.config));
  }
}

void print_signs() {
  for (int flipped = 0; flipped < 4; ++flipped) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double d = (flipped >> i & 1) != 0 ? -kDifferences[static_cast<std::size_t>(i)]
                                               : kDifferences[static_cast<std::size_t>(i)];
      std::printf(" %+.2f", d);
      sum += d;
    }
    std::printf("   mean %+.4f%s\n", sum / 3, std::abs(sum) > 0.03 - 1e-9 ? "   as far" : "");
  }
}

// In percent: the test by steps, the seeds' least and most in the end, and longer sentences then.
void print_longer() {
  const walkthrough::Table table =
      walkthrough::read_table("data/measurements", "architectures_longer");
  std::map<std::string, std::map<int, std::vector<double>>> test;
  std::map<std::string, double> longer;
  std::vector<std::string> variants;
  for (const auto& row : table.rows) {
    const std::string& variant = row.at("variant");
    if (test.count(variant) == 0) variants.push_back(variant);
    const int steps = static_cast<int>(walkthrough::number_in(row, "steps"));
    test[variant][steps].push_back(100 * walkthrough::number_in(row, "test"));
    if (steps == 20000) longer[variant] += 100 * walkthrough::number_in(row, "longer");
  }
  std::printf("%-18s", "");
  for (const auto& [steps, seeds] : test.begin()->second) std::printf("%7d", steps);
  std::printf("   from    to   longer\n");
  for (const std::string& variant : variants) {
    std::printf("%-18s", variant.c_str());
    for (const auto& [steps, seeds] : test[variant]) std::printf("%7.1f", mean(seeds));
    const std::vector<double>& last = test[variant].rbegin()->second;
    const auto [least, most] = std::minmax_element(last.begin(), last.end());
    std::printf("%7.1f%6.1f%9.1f\n", *least, *most,
                longer[variant] / static_cast<double>(last.size()));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> given(argv + 1, argv + argc);
  const std::string what = argc == 2 ? argv[1] : "";
  if (what == "table") {
    print_table();
  } else if (what == "signs") {
    print_signs();
  } else if (what == "longer") {
    print_longer();
  } else if ((given.size() == 3 || given.size() == 4) && given[0] == "results") {
    const walkthrough::Trials trials =
        walkthrough::read_trials("data/measurements", given[1], given.size() == 4 ? given[2] : "");
    std::fputs(comparison_text(trials.experiment, trials.results, given.back()).c_str(), stdout);
  } else if (what == "values") {
    std::printf("p = %.6g\n", sign_flip_p({kDifferences})[0]);
    for (const std::size_t seeds : {5U, 6U, 12U}) {
      std::printf("p.%zu = %.6g\n", seeds, sign_flip_p({std::vector<double>(seeds, 1.0)})[0]);
    }
    // The spread of a share over other sets of 1,000 sentences, in points.
    std::printf("sentences = %.6g\n", 100 * std::sqrt(0.989 * 0.011 / 1000));
    for (const std::size_t seeds : {std::size_t{6}, std::size_t{12}}) {
      std::printf("found.%zu = %.6g\n", seeds, detectable_difference(29, seeds));
    }
  } else {
    std::fprintf(stderr, "usage: example-6.2 table|signs|longer|results|values\n");
    return 2;
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "example-6.2: error: %s\n", error.what());
  return 1;
}
