// A trial is a run like that of `train`: it is saved as it goes, and can be continued. When it has
// ended, it is loaded from its directory, as a user would load it, and judged.
#include "lab/experiments/training_trial.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>

#include "app/defaults.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/number.h"
#include "metrics/exact_match.h"
#include "storage/atomic_file.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/lines.h"
#include "training/run.h"

namespace attn {

namespace {

// Seconds of training so far, kept between processes.
double seconds_in(const std::string& path) {
  if (!std::filesystem::exists(path)) return 0;
  const std::vector<std::string> lines = read_lines(path);
  ATTN_CHECK(lines.size() == 1, path, ": expected one line, the seconds of training so far");
  return parse_number<double>(lines[0], "a number of seconds");
}

struct Judged {
  double share = 0, seconds = 0;
  Index tokens = 0;  // that were written, <eos> included
};

// Adds to `lengths`, for each number of words, how many sentences have it and how many are right.
Judged judge(const TrainedModel& trained, const std::vector<TextPair>& pairs,
             std::map<std::size_t, std::pair<Index, Index>>& lengths) {
  const double start = now();
  const ExactMatches found = exact_matches(*trained.model, trained.tokenizer, pairs);
  Judged judged;
  judged.seconds = now() - start;
  judged.share = static_cast<double>(found.count) / static_cast<double>(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    judged.tokens += static_cast<Index>(words(found.outputs[i]).size()) + 1;
    auto& [sentences, right] = lengths[words(pairs[i].source).size()];
    ++sentences;
    right += found.matches[i];
  }
  return judged;
}

}  // namespace

double measured(const std::vector<double>& values, const std::string& measure) {
  const auto found = std::find(kTrainingMeasures.begin(), kTrainingMeasures.end(), measure);
  ATTN_CHECK(found != kTrainingMeasures.end() && values.size() == kTrainingMeasures.size(),
             "training does not measure ", measure);
  return values[static_cast<std::size_t>(found - kTrainingMeasures.begin())];
}

std::vector<TextPair> first_of(std::vector<TextPair> pairs, std::size_t count) {
  pairs.resize(std::min(pairs.size(), count));
  return pairs;
}

std::optional<std::vector<double>> run_training_trial(const TrainingTrial& trial,
                                                      const std::string& directory,
                                                      const TrialEvents& events) {
  const std::string place = directory + "/run", seconds_path = directory + "/seconds";
  {
    const bool begun = std::filesystem::exists(place + "/training.safetensors");
    Run run =
        begun ? continued_run(place) : prepare_run({trial.model, trial.training, std::nullopt, {}});
    if (!begun) keep_run(run, place);
    const double before = seconds_in(seconds_path), start = now();
    TrainingEvents training;
    training.step = events.step;
    training.stop = events.stop;
    training.save = [&](bool checkpoint) {
      save(run, checkpoint);
      write_file(seconds_path, shortest(before + now() - start) + '\n');
    };
    if (train(run, training) == TrainingEnd::stopped) return std::nullopt;
  }

  const TrainedModel trained = load_trained_model(place);
  const Task task = find_task(trial.training.task);
  std::map<std::size_t, std::pair<Index, Index>> lengths;
  const std::vector<TextPair> test = first_of(task.test_set(), trial.sentences);
  const Judged of_test = judge(trained, test, lengths);
  const Judged of_longer =
      judge(trained, first_of(task.longer_test_set(), trial.sentences), lengths);
  const auto perplexity = [&](const std::vector<TextPair>& pairs) {
    std::vector<SentencePair> ids;
    for (const TextPair& pair : pairs) ids.push_back(encode_pair(trained.tokenizer, pair));
    return evaluate(*trained.model, batches_in_order(ids, trial.training.batch_tokens))
        .perplexity();
  };

  std::string table = "words\tsentences\tright\n";
  for (const auto& [length, counts] : lengths) {
    table += text(length, '\t', counts.first, '\t', counts.second, '\n');
  }
  write_file(directory + "/lengths.tsv", table);
  return std::vector<double>{static_cast<double>(count_parameters(*trained.model)),
                             of_test.share,
                             of_longer.share,
                             perplexity(test),
                             perplexity(first_of(task.validation_set(), trial.sentences)),
                             seconds_in(seconds_path),
                             1000 * of_test.seconds / static_cast<double>(of_test.tokens)};
}

TrainingTrial trial_of(const std::string& task, bool quick, const std::string& architecture) {
  const Defaults defaults = defaults_of(task);
  TrainingTrial trial{changed_preset(architecture, defaults.preset, defaults.model),
                      defaults.training};
  trial.training.task = task;
  if (task == "reverse") trial.training.steps = 3000;
  if (task == "phrasebook") trial.training.steps = 5000;
  if (quick) {
    trial.training.steps = 20;
    trial.training.validate_every = 10;
    trial.sentences = kQuickSentences;
  }
  return trial;
}

std::vector<std::uint64_t> seeds_to(std::uint64_t last, bool quick) {
  std::vector<std::uint64_t> seeds{1};
  while (!quick && seeds.back() < last) seeds.push_back(seeds.back() + 1);
  return seeds;
}

Experiment experiment_of(const TrainedVariants& all, const TrialEvents& events) {
  Experiment experiment;
  for (const auto& variant : all.variants) experiment.variants.push_back(variant.first);
  experiment.seeds = all.seeds;
  experiment.measures = kTrainingMeasures;
  experiment.measures.insert(experiment.measures.end(), all.more.begin(), all.more.end());
  experiment.run = [=](const Trial& trial, const std::string& directory) {
    const auto variant =
        std::find_if(all.variants.begin(), all.variants.end(),
                     [&](const auto& named) { return named.first == trial.variant; });
    TrainingTrial training = variant->second;
    training.training.seed = trial.seed;
    std::optional<std::vector<double>> values = run_training_trial(training, directory, events);
    if (!values.has_value() || !all.judge) return values;
    const std::vector<double> more = all.judge(directory + "/run");
    values->insert(values->end(), more.begin(), more.end());
    return values;
  };
  return experiment;
}

}  // namespace attn
