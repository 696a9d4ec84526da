// Trials that train a model on one of the program's own tasks, and judge it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "lab/experiments/runner.h"
#include "text/corpus.h"
#include "training/trainer.h"

namespace attn {

struct TrainingTrial {
  Settings model;  // without vocabularies, which the task has
  TrainingSettings training;
  std::size_t sentences = SIZE_MAX;  // the most that it is judged on, of each set
};
// How many sentences of each set a quick experiment is judged on.
constexpr std::size_t kQuickSentences = 50;
// At most `count` pairs, the first ones.
std::vector<TextPair> first_of(std::vector<TextPair> pairs, std::size_t count);

// What is known of a trained model, in the order of kTrainingMeasures.
//   weights      how many
//   test         the share of the test sentences that come out exactly right, greedily
//   longer       the same for sentences longer than any in training
//   perplexity   of the target tokens of the test
//   validation   the same of the validation set
//   seconds      that training took by the clock, in all processes that continued it together
//   ms_per_token the time of a token in decoding: the test sentences together, greedily
inline const std::vector<std::string> kTrainingMeasures{
    "weights", "test", "longer", "perplexity", "validation", "seconds", "ms_per_token"};
// One of these values.
double measured(const std::vector<double>& values, const std::string& measure);

struct TrialEvents {
  std::function<void(const StepReport&)> step;
  std::function<bool()> stop;
};

// Trains in directory/run, from where an earlier process stopped, and judges the weights that the
// run keeps. Also writes directory/lengths.tsv: for each length of a source, how many test and
// longer sentences have it and how many of those come out right. Returns nothing if events.stop
// stopped it; the run can then be continued. Throws Error as training and saving do.
std::optional<std::vector<double>> run_training_trial(const TrainingTrial& trial,
                                                      const std::string& directory,
                                                      const TrialEvents& events = {});

// The model that `train` trains on a task, or one of another architecture with the same settings,
// trained like that, but for fewer steps where a Transformer comes near its best sooner: given the
// time to reach it, all variants would look the same. quick: for a few steps, and judged on a few
// sentences.
TrainingTrial trial_of(const std::string& task, bool quick,
                       const std::string& architecture = "transformer");

// Variants of a model or of its training, each trained with the same seeds: seed s gives all of
// them the same data, in the same order.
struct TrainedVariants {
  std::vector<std::pair<std::string, TrainingTrial>> variants;  // by name, the baseline first
  std::vector<std::uint64_t> seeds;
  // More measures, whose values judge() gives of a trained run in that directory.
  std::vector<std::string> more = {};
  std::function<std::vector<double>(const std::string& directory)> judge = nullptr;
  std::vector<std::string> shown{"test", "longer",
                                 "perplexity"};  // the measures to compare them by
};
std::vector<std::uint64_t> seeds_to(std::uint64_t last, bool quick);  // from 1; if quick, only that
Experiment experiment_of(const TrainedVariants& all, const TrialEvents& events = {});

}  // namespace attn
