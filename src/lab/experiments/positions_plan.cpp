// One plan for all kinds of positions, one for all windows; what is longer than the longest test of
// the task is drawn here.
#include "lab/experiments/positions_plan.h"

#include <algorithm>

#include "app/defaults.h"
#include "base/check.h"
#include "base/number.h"
#include "base/random.h"
#include "base/utf8.h"
#include "metrics/exact_match.h"
#include "storage/safetensors.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn {

namespace {

constexpr const char* kPositionKinds[] = {"sinusoidal", "learned", "none",  "rotary",
                                          "relative",   "alibi",   "random"};
constexpr Index kWindows[] = {1, 2, 4, 8, 16};
constexpr Index kSequences = 200;
// Both sides of a pair of 100 letters, one after the other, have 202 tokens.
constexpr const char* kMaxPositions = "256";

// The task's pairs of sources of `shortest` to `longest` random letters.
std::vector<TextPair> pairs_of(const std::string& task, Index shortest, Index longest) {
  std::vector<TextPair> pairs;
  for (Index i = 0; i < kSequences; ++i) {
    const RandomStream random{static_cast<std::uint64_t>(i), hash("sequences of any length")};
    std::string letters;
    for (Index t = 0; t < shortest + i % (longest - shortest + 1); ++t) {
      letters += static_cast<char>('a' + random.below(static_cast<std::uint64_t>(t), 26));
    }
    std::string target = letters;
    if (task == "reverse") std::reverse(target.begin(), target.end());
    pairs.push_back({joined(characters(letters), " "), joined(characters(target), " ")});
  }
  return pairs;
}

double steps_of(const std::string& run) {
  return parse_number<double>(read_metadata(run + "/training.safetensors").at("state.step"),
                              "a number");
}

}  // namespace

TrainedVariants positions_that_last(const std::string& task, bool quick) {
  TrainedVariants all{{}, seeds_to(6, quick)};
  for (const char* architecture : {"transformer", "decoder"}) {
    for (const char* kind : kPositionKinds) {
      TrainingTrial trial = trial_of(task, quick, architecture);
      if (!quick) trial.training.steps = defaults_of(task).training.steps;
      trial.model["positions"] = kind;
      trial.model["max_positions"] = kMaxPositions;
      all.variants.emplace_back(text(architecture, ' ', kind), trial);
    }
  }
  all.more = {"steps", "to_50", "to_100"};
  all.judge = [task](const std::string& run) {
    const TrainedModel trained = load_trained_model(run);
    std::vector<double> values{steps_of(run)};
    for (const auto& [shortest, longest] : {std::pair<Index, Index>{31, 50}, {51, 100}}) {
      const std::vector<TextPair> pairs = pairs_of(task, shortest, longest);
      values.push_back(to_double(exact_matches(*trained.model, trained.tokenizer, pairs).count) /
                       to_double(kSequences));
    }
    return values;
  };
  all.shown = {"test", "longer", "to_50", "to_100", "steps"};
  return all;
}

TrainedVariants windows(const std::string& name, bool quick) {
  const std::vector<std::string> parts = split(name, '-');
  TrainingTrial trial = trial_of(parts[0], quick, parts.size() > 3 ? parts[3] : "transformer");
  trial.model["layers"] = parts[1];
  TrainedVariants all{{{"all", trial}}, seeds_to(6, quick)};
  for (const Index window : kWindows) {
    trial.model["window"] = std::to_string(window);
    all.variants.emplace_back(text("R=", window), trial);
    if (quick) break;
  }
  all.more = {"steps"};
  all.judge = [](const std::string& run) { return std::vector{steps_of(run)}; };
  all.shown = {"test", "longer", "steps"};
  return all;
}

}  // namespace attn
