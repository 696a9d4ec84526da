// measure-scores DIRECTORY [seeds=N] [MODEL/TASK...]
//
// Whether and how dividing the scores by √d_k helps, on models that learn: trains each variant with
// each seed and writes DIRECTORY/MODEL/TASK/results.tsv; what was interrupted continues.
// tests/peers/scores.py turns them into data/measurements/scaling.tsv.
//
// MODEL: one-head, transformer or wide-transformer, which is the transformer with d_k = 512. TASK:
// reverse, copy or, with the transformers, phrasebook.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include "base/number.h"
#include "base/parallel.h"
#include "divisions.h"
#include "lab/experiments/runner.h"
#include "lab/laboratory.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/lines.h"
#include "training/adam.h"
#include "training/schedule.h"

using namespace attn;

namespace {

constexpr Index kBatchTokens = 512, kWarmup = 50, kSteps = 1000;
constexpr std::size_t kTestSentences = 300;
constexpr Index kWatched[] = {0, 100, 1000};  // steps at which gradients are measured
constexpr Index kJudged[] = {25, 50, 100, 200, 400, 700, 1000};  // and the share that is right
constexpr Index kSweepSteps = 400;
constexpr const char* kScales[] = {"0.04375", "0.0875", "0.175",
                                   "0.35",    "0.7",    "1.4"};  // of eq. (3)'s rate

// What is between the two only where the division is by 8 and more.
std::vector<Variant> variants_of(const std::string& model, const std::string& task) {
  std::vector<Index> widths{4, 16, 64, 256, 512};
  if (model == "transformer") widths = {16, 64};
  if (model == "wide-transformer") widths = {512};
  std::vector<Variant> all;
  for (const Index d_k : widths) {
    for (const char* division : {"divided", "undivided", "start-only", "speed-only", "learned"}) {
      const Variant variant{model, task, division, d_k};
      const bool between = variant.learned() || variant.hard_start() != variant.fast();
      if (d_k >= 64 || !between) all.push_back(variant);
    }
  }
  return all;
}

// The attentions that are measured: parts of the model, and what their measures begin with.
struct Attention {
  const char *part, *prefix;
};
std::vector<Attention> attentions_of(const std::string& model) {
  if (model == "one-head") return {{"", ""}};
  return {{"decoder.0.cross_attention", ""}, {"encoder.0.self_attention", "self_"}};
}

// Over all queries of a batch: the mean entropy of a row of weights over that of equal ones; then
// of |dq|, the gradient of the summed loss, the root of the mean square, the mean and the median.
struct Seen {
  double entropies = 0;
  std::vector<double> lengths;

  void add(const ConstMatrixView& x, bool gradient) {
    for (Index i = 0; i < x.rows; ++i) {
      double sum = 0;
      for (Index j = 0; j < x.cols; ++j) {
        const double value = static_cast<double>(x(i, j));
        if (gradient) sum += value * value;
        if (!gradient && value > 0) sum -= value * std::log(value);
      }
      if (gradient) lengths.push_back(std::sqrt(sum));
      if (!gradient) entropies += sum / std::log(to_double(x.cols));
    }
  }

  // Where there is no division, q is √d_k times smaller than the one that was watched.
  std::vector<double> summary(const Variant& variant) {
    const double factor = variant.fast() ? std::sqrt(variant.d_k) : 1;
    std::sort(lengths.begin(), lengths.end());
    const std::size_t n = lengths.size();
    double sum = 0, squares = 0;
    for (const double length : lengths) sum += length, squares += length * length;
    return {entropies / static_cast<double>(n),
            factor * std::sqrt(squares / static_cast<double>(n)),
            factor * sum / static_cast<double>(n),
            factor * (lengths[(n - 1) / 2] + lengths[n / 2]) / 2};
  }
};

std::vector<double> watched(SequenceModel& model, const Variant& variant, const Batch& batch) {
  const std::vector<Attention> attentions = attentions_of(variant.model);
  std::vector<Seen> seen(attentions.size());
  Watcher watcher;
  watcher.value = [&](const SeenValue& value) {
    const std::string name = value.called.name != nullptr ? value.called.name : "";
    const bool gradient = name == "dQ" || name == "dq";
    if (!gradient && name != "P" && name != "alpha") return;
    const std::string part = value.where.name();
    for (std::size_t i = 0; i < attentions.size(); ++i) {
      if (part.rfind(attentions[i].part, 0) == 0) seen[i].add(value.numbers, gradient);
    }
  };
  zero_gradients(model);
  model.loss_and_gradients(batch, Pass(DropoutMasks(1, 1), &watcher), 1);
  std::vector<double> values;
  for (Seen& one : seen) {
    for (const double value : one.summary(variant)) values.push_back(value);
  }
  return values;
}

Batch batch_of(const Task& task, const std::vector<TextPair>& pairs) {
  Batch batch;
  for (std::size_t i = 0; i < std::min(kTestSentences, pairs.size()); ++i) {
    const SentencePair ids = encode_pair(task.tokenizer, pairs[i]);
    batch.append(ids.source, ids.target);
  }
  return batch;
}

std::vector<std::string> measures_of(const std::string& model) {
  std::vector<std::string> names{"validation"};
  for (const Index step : kJudged) names.push_back(text("right_", step));
  for (const Index step : kWatched) {
    for (const Attention& attention : attentions_of(model)) {
      for (const char* what : {"entropy", "rms", "mean", "median"}) {
        names.push_back(text(attention.prefix, what, '_', step));
      }
    }
  }
  names.push_back("temperature");  // the attentions' geometric mean, at the end
  return names;
}

// Trains one model; the values are those of measures_of it, which begin with the validation's loss.
std::vector<double> trial(const Variant& variant, double scale, Index steps, std::uint64_t seed) {
  const Task task = find_task(variant.task);
  const Batch test = batch_of(task, task.test_set()),
              validation = batch_of(task, task.validation_set());
  const std::unique_ptr<SequenceModel> model = start(variant, task.tokenizer.size(), seed);
  const Schedule schedule{kModelWidth, kWarmup, scale};
  Adam adam;
  Temperatures temperatures;
  std::vector<double> right(std::size(kJudged), 0), seen;
  const auto watch = [&](Index step) {
    if (std::find(std::begin(kWatched), std::end(kWatched), step) == std::end(kWatched)) return;
    for (const double value : watched(*model, variant, test)) seen.push_back(value);
  };
  watch(0);
  for (Index step = 1; step <= steps; ++step) {
    const Batch batch = task_batch(task, seed, static_cast<std::uint64_t>(step), kBatchTokens);
    zero_gradients(*model);
    const Real per_token = 1 / static_cast<Real>(batch.target_output.size());
    model->loss_and_gradients(batch, Pass(DropoutMasks(1, 1)), per_token);
    update(*model, adam, temperatures, variant, step, schedule.rate(step));
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (kJudged[i] == step) right[i] = model->loss(test).accuracy();
    }
    watch(step);
  }
  std::vector<double> values{model->loss(validation).mean_loss()};
  values.insert(values.end(), right.begin(), right.end());
  values.insert(values.end(), seen.begin(), seen.end());
  double logs = 0;
  for (const Temperature& one : temperatures) logs += one.log;
  values.push_back(std::exp(logs / static_cast<double>(temperatures.size())));
  return values;
}

void finish(const Experiment& experiment, const std::string& directory) {
  RunnerEvents events;
  events.end = [](const TrialResult& result) {
    std::fprintf(stderr, "%s, seed %d\n", result.trial.variant.c_str(),
                 static_cast<int>(result.trial.seed));
  };
  run_experiment(experiment, directory, events);
}

// By the name of a variant, with a seed of its own and fewer steps: the scale at which the
// validation's loss is least.
std::map<std::string, double> best_scales(const std::string& model, const std::string& task,
                                          const std::string& directory) {
  std::vector<std::pair<std::string, ShortTrial>> swept;
  for (const Variant& variant : variants_of(model, task)) {
    for (const std::string scale : kScales) {
      if (model != "one-head" && scale == "1.4") continue;  // at half of that it learns nothing
      swept.emplace_back(variant.name() + " x " + scale, [=](std::uint64_t seed) {
        return std::vector<double>{
            trial(variant, parse_number<double>(scale, "a number"), kSweepSteps, seed).front()};
      });
    }
  }
  const Experiment experiment = short_experiment(swept, {11}, {"validation"});
  finish(experiment, directory);
  std::map<std::string, double> best, least;
  for (const TrialResult& result : finished_trials(experiment, directory)) {
    const std::size_t at = result.trial.variant.rfind(" x ");
    const std::string name = result.trial.variant.substr(0, at);
    if (least.count(name) > 0 && !(result.values[0] < least[name])) continue;
    least[name] = result.values[0];
    best[name] = parse_number<double>(result.trial.variant.substr(at + 3), "a number");
  }
  return best;
}

void measure(const std::string& directory, const std::string& what, std::uint64_t seeds) {
  const std::vector<std::string> parts = split(what, '/');
  ATTN_CHECK_EQ(parts.size(), std::size_t{2}, "parts of MODEL/TASK, '", what, "'");
  // Copy takes the scales of reverse.
  const std::string swept = parts[1] == "copy" ? "reverse" : parts[1];
  const std::map<std::string, double> scales =
      best_scales(parts[0], swept,
                  directory + '/' + parts[0] + (swept == "reverse" ? "/sweep" : "/sweep-" + swept));
  std::vector<std::pair<std::string, ShortTrial>> variants;
  for (const Variant& variant : variants_of(parts[0], parts[1])) {
    Variant there = variant;
    there.task = swept;
    const double scale = scales.at(there.name());
    variants.emplace_back(variant.name(),
                          [=](std::uint64_t seed) { return trial(variant, scale, kSteps, seed); });
  }
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) numbers.push_back(seed);
  finish(short_experiment(variants, numbers, measures_of(parts[0])), directory + '/' + what);
}

}  // namespace

int main(int argc, char** argv) try {
  set_threads(1);
  open_laboratory();
  if (argc < 2) fail("usage: measure-scores DIRECTORY [seeds=N] [MODEL/TASK...]");
  std::vector<std::string> all;
  std::uint64_t seeds = 3;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("seeds=", 0) == 0) {
      seeds = parse_number<std::uint64_t>(word.substr(6), "a number");
    } else {
      all.push_back(word);
    }
  }
  if (all.empty()) {
    all = {"one-head/reverse",           "one-head/copy",    "transformer/reverse",
           "wide-transformer/reverse",   "transformer/copy", "transformer/phrasebook",
           "wide-transformer/phrasebook"};
  }
  for (const std::string& one : all) measure(argv[1], one, seeds);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "measure-scores: %s\n", error.what());
  return 1;
}
