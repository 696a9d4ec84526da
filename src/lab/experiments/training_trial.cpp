#include "lab/experiments/training_trial.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/number.h"
#include "metrics/exact_match.h"
#include "model/architectures.h"
#include "storage/atomic_file.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/lines.h"
#include "training/data.h"
#include "training/defaults.h"
#include "training/run_directory.h"

namespace attn {

namespace {

struct Run {
  std::unique_ptr<SequenceModel> model;
  Trainer trainer;
  TrainingData data;
  RunLock lock;
};

Run new_run(const TrainingTrial& trial, const std::string& directory) {
  Run run;
  run.trainer.settings = trial.training;
  run.data = training_data(run.trainer.settings,
                           plan_model_of_any_vocabulary(trial.model, "the trial").longest_sentence,
                           nullptr, {});
  Settings model = trial.model;
  model["source_vocabulary"] = model["target_vocabulary"] =
      std::to_string(run.data.tokenizer.size());
  run.model = make_model(model, "the trial");
  initialise_parameters(*run.model, trial.training.seed);
  run.lock = create_run(directory);
  save_run(directory, *run.model, run.trainer, run.data.tokenizer, false);
  return run;
}

Run continued_run(const std::string& directory) {
  LoadedRun loaded = resume_run(directory);
  Run run{std::move(loaded.model), std::move(loaded.trainer), {}, std::move(loaded.lock)};
  run.data =
      training_data(run.trainer.settings, run.model->longest_sentence(), &loaded.tokenizer, {});
  return run;
}

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

std::optional<std::vector<double>> run_training_trial(const TrainingTrial& trial,
                                                      const std::string& directory,
                                                      const TrialEvents& events) {
  const std::string place = directory + "/run", seconds_path = directory + "/seconds";
  {
    const bool begun = std::filesystem::exists(place + "/training.safetensors");
    Run run = begun ? continued_run(place) : new_run(trial, place);
    const double before = seconds_in(seconds_path), start = now();
    TrainingEvents training;
    training.step = events.step;
    training.stop = events.stop;
    training.save = [&](bool checkpoint) {
      save_run(place, *run.model, run.trainer, run.data.tokenizer, checkpoint);
      write_file(seconds_path, shortest(before + now() - start) + '\n');
    };
    const TrainingEnd end =
        train(*run.model, run.trainer, run.data.batches, run.data.validation, training);
    if (end == TrainingEnd::stopped) return std::nullopt;
  }

  const TrainedModel trained = load_trained_model(place);
  const Task task = find_task(trial.training.task);
  std::map<std::size_t, std::pair<Index, Index>> lengths;
  const std::vector<TextPair> test = task.test_set();
  const Judged of_test = judge(trained, test, lengths);
  const Judged of_longer = judge(trained, task.longer_test_set(), lengths);
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
                             perplexity(task.validation_set()),
                             seconds_in(seconds_path),
                             1000 * of_test.seconds / static_cast<double>(of_test.tokens)};
}

TrainingSettings trial_training(const std::string& task) {
  TrainingSettings training = defaults_of(task).training;
  training.task = task;
  if (task == "reverse") training.steps = 3000;
  if (task == "phrasebook") training.steps = 5000;
  return training;
}

Experiment experiment_of(const TrainedVariants& all, const TrialEvents& events) {
  Experiment experiment;
  for (const auto& variant : all.variants) experiment.variants.push_back(variant.first);
  experiment.seeds = all.seeds;
  experiment.measures = kTrainingMeasures;
  experiment.run = [=](const Trial& trial, const std::string& directory) {
    const auto variant =
        std::find_if(all.variants.begin(), all.variants.end(),
                     [&](const auto& named) { return named.first == trial.variant; });
    TrainingTrial training = variant->second;
    training.training.seed = trial.seed;
    return run_training_trial(training, directory, events);
  };
  return experiment;
}

}  // namespace attn
