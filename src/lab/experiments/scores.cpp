// A trial is a training loop of its own: batches, gradients, Adam at one rate.
#include "lab/experiments/scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/clock.h"
#include "base/printing.h"
#include "lab/experiments/one_head.h"
#include "lab/experiments/statistics.h"
#include "tasks/task.h"
#include "training/adam.h"

namespace attn {

namespace {

constexpr Index kModelWidth = 64, kBatchTokens = 512;
constexpr double kRate = 0.002;
constexpr Compatibility kKinds[] = {Compatibility::scaled_dot, Compatibility::dot,
                                    Compatibility::additive};

// −Σ p ln p of a row of n weights divided by ln n, its value if all are equal; the mean over all
// rows.
double entropy_of_weights(const OneHead& model, const Batch& batch) {
  double sum = 0;
  Index rows = 0;
  Watcher watcher;
  watcher.value = [&](const SeenValue& seen) {
    if (seen.made.operation != Operation::softmax) return;
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

// Trains one model on a task and returns the measures, in their order.
std::vector<double> run_trial(const Task& task, Compatibility kind, Index d_k, Index steps,
                              std::uint64_t seed) {
  OneHead model(kind, task.tokenizer.size(), kModelWidth, d_k);
  initialise_parameters(model, seed);
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
    const Batch batch = task_batch(task, seed, static_cast<std::uint64_t>(step), kBatchTokens);
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
  using List = std::vector<Index>;
  const Index steps = quick ? 20 : 1000;
  std::vector<std::pair<std::string, ShortTrial>> variants;
  for (const char* name : {"copy", "reverse"}) {
    for (const Compatibility kind : kKinds) {
      for (const Index d_k : quick ? List{4, 64} : List{4, 16, 64, 256, 512}) {
        variants.emplace_back(text(name, ' ', name_of(kind), " d_k=", d_k),
                              [=, task = find_task(name)](std::uint64_t seed) {
                                return run_trial(task, kind, d_k, steps, seed);
                              });
      }
    }
  }
  using Seeds = std::vector<std::uint64_t>;
  return short_experiment(variants, quick ? Seeds{1} : Seeds{1, 2, 3},
                          {"early", "accuracy", "entropy_start", "entropy_end", "gradient_start",
                           "milliseconds", "kilobytes"});
}

std::string scores_text(const Experiment& experiment, const std::vector<TrialResult>& results) {
  std::vector<std::vector<std::string>> rows{{"", "after 1/10", "accuracy", "least to most",
                                              "entropy before", "after", "gradient before",
                                              "ms/step", "kB"}};
  constexpr int kDigits[] = {3, 3, 3, 3, 4, 2, 0};  // of each measure
  for (const std::string& variant : experiment.variants) {
    rows.push_back({variant});
    for (std::size_t i = 0; i < std::size(kDigits); ++i) {
      const std::string& measure = experiment.measures[i];
      const std::vector<double> values = numbers(values_of(experiment, results, variant, measure));
      if (values.empty()) continue;
      const double middle = mean(values);
      const bool finite = std::isfinite(middle);
      rows.back().push_back(finite ? fixed(middle, kDigits[i]) : measured_text(middle));
      if (measure != "accuracy") continue;
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      rows.back().push_back(finite ? fixed(*least, 3) + " to " + fixed(*most, 3) : "");
    }
  }
  return table(rows);
}

}  // namespace attn
