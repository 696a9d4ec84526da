#include "lab/experiments/scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/check.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/number.h"
#include "lab/experiments/one_head.h"
#include "lab/experiments/statistics.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/lines.h"
#include "training/adam.h"

namespace attn {

namespace {

constexpr Index kModelWidth = 64, kBatchTokens = 512;
constexpr double kRate = 0.002;
constexpr Compatibility kKinds[] = {Compatibility::scaled_dot, Compatibility::dot,
                                    Compatibility::additive};

struct ScoresVariant {
  std::string task;
  Compatibility kind = Compatibility::dot;
  Index d_k = 0;
};

ScoresVariant variant_of(const std::string& name) {
  const std::vector<std::string> words_in = split(name, ' ');
  ATTN_CHECK_EQ(words_in.size(), std::size_t{3}, "words of a variant");
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](Compatibility k) { return words_in[1] == name_of(k); });
  ATTN_CHECK(kind != std::end(kKinds), "there is no score '", words_in[1], "'");
  return {words_in[0], *kind, parse_number<Index>(words_in[2].substr(4), "d_k")};
}

// The mean over all rows of weights: −Σ p ln p, over ln n of a sentence of n tokens.
double entropy_of_weights(const OneHead& model, const Batch& batch) {
  double sum = 0;
  Index rows = 0;
  Watcher watcher;
  watcher.value = [&](const SeenValue& seen) {
    const ConstMatrixView& P = seen.numbers;
    for (Index i = 0; i < P.rows; ++i) {
      double entropy = 0;
      for (Index j = 0; j < P.cols; ++j) {
        const auto p = static_cast<double>(P(i, j));
        if (p > 0) entropy -= p * std::log(p);
      }
      sum += entropy / std::log(static_cast<double>(P.cols));
    }
    rows += P.rows;
  };
  model.loss(batch, Pass(watcher));
  return sum / static_cast<double>(rows);
}

LossSums learn_from(OneHead& model, const Batch& batch) {
  zero_gradients(model);
  const Real scale = 1 / static_cast<Real>(batch.target_output.size());
  return model.loss_and_gradients(batch, Pass(DropoutMasks(1, 1)), scale);
}

std::vector<double> run_scores_trial(const Trial& trial, Index steps) {
  const ScoresVariant variant = variant_of(trial.variant);
  const Task task = find_task(variant.task);
  OneHead model(variant.kind, task.tokenizer.size(), kModelWidth, variant.d_k);
  initialise_parameters(model, trial.seed);
  Batch test;
  for (const TextPair& pair : task.test_set()) {
    const SentencePair ids = encode_pair(task.tokenizer, pair);
    test.append(ids.source, ids.target);
  }

  const double entropy_start = entropy_of_weights(model, test);
  learn_from(model, test);
  const double gradient_start = std::sqrt(sum_of_squares(model.query.weight.gradient));

  Adam adam;
  Index peak = 0;
  double seconds = 0, early = 0;
  for (Index step = 1; step <= steps; ++step) {
    const Batch batch =
        task_batch(task, trial.seed, static_cast<std::uint64_t>(step), kBatchTokens);
    const double start = now();
    restart_peak();
    const Index before = tensor_bytes().now;
    learn_from(model, batch);
    peak = std::max(peak, tensor_bytes().peak - before);
    adam.update(model, step, kRate);
    seconds += now() - start;
    if (step == steps / 10) early = model.loss(test).accuracy();
  }
  return {early,
          model.loss(test).accuracy(),
          entropy_start,
          entropy_of_weights(model, test),
          gradient_start,
          1000 * seconds / static_cast<double>(steps),
          static_cast<double>(peak) / 1000};
}

}  // namespace

Experiment compared_scores(bool quick) {
  Experiment experiment;
  experiment.seeds = quick ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{1, 2, 3};
  experiment.measures = {"early",          "accuracy",     "entropy_start", "entropy_end",
                         "gradient_start", "milliseconds", "kilobytes"};
  const std::vector<Index> widths =
      quick ? std::vector<Index>{4, 64} : std::vector<Index>{4, 16, 64, 256, 512};
  for (const char* task : {"copy", "reverse"}) {
    for (const Compatibility kind : kKinds) {
      for (const Index d_k : widths) {
        experiment.variants.push_back(text(task, ' ', name_of(kind), " d_k=", d_k));
      }
    }
  }
  const Index steps = quick ? 20 : 1000;
  experiment.run = [steps](const Trial& trial, const std::string&) {
    return run_scores_trial(trial, steps);
  };
  return experiment;
}

std::string scores_text(const Experiment& experiment, const std::vector<TrialResult>& results) {
  std::vector<std::vector<std::string>> rows{{"", "after 1/10", "accuracy", "least to most",
                                              "entropy before", "after", "gradient before",
                                              "ms/step", "kB"}};
  for (const std::string& variant : experiment.variants) {
    const auto values = [&](const char* measure) {
      return values_of(experiment, results, variant, measure);
    };
    const std::vector<double> accuracy = values("accuracy");
    if (accuracy.empty()) continue;
    const auto [least, most] = std::minmax_element(accuracy.begin(), accuracy.end());
    rows.push_back({variant, fixed(mean(values("early")), 3), fixed(mean(accuracy), 3),
                    fixed(*least, 3) + " to " + fixed(*most, 3),
                    fixed(mean(values("entropy_start")), 3), fixed(mean(values("entropy_end")), 3),
                    fixed(mean(values("gradient_start")), 4),
                    fixed(mean(values("milliseconds")), 2), fixed(mean(values("kilobytes")), 0)});
  }
  return table(rows);
}

}  // namespace attn
