#include "lab/experiments/ladder.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/number.h"
#include "model/architectures.h"
#include "tasks/task.h"
#include "training/defaults.h"

namespace attn {

namespace {

struct Rung {
  const char* architecture;
  const char* attention;  // "" if it has no choice
};
// The Transformer first, then in the order of their publication.
constexpr Rung kRungsOfLadder[] = {
    {"transformer", ""},  {"lstm", "none"},          {"rnn", "bahdanau"}, {"gru", "bahdanau"},
    {"lstm", "bahdanau"}, {"lstm", "luong-general"}, {"convs2s", ""},
};
constexpr const char* kScales[] = {"0.0875", "0.175", "0.35", "0.7", "1.4", "2.8"};
constexpr const char* kTimes = " x ";

std::string name_of(const Rung& rung) {
  const std::string attention = rung.attention;
  return rung.architecture + (attention.empty() ? "" : " " + attention);
}

Index weights_of(Settings model, const std::string& vocabulary) {
  model["source_vocabulary"] = model["target_vocabulary"] = vocabulary;
  return count_parameters(*make_model(model, "the ladder"));
}

// The settings of a rung, of such a width that it has about so many weights.
Settings sized(const Rung& rung, const Settings& shared, Index weights,
               const std::string& vocabulary) {
  Settings best;
  Index nearest = weights;
  for (int width = 16; width <= 160; width += 2) {
    Settings model = preset_settings(rung.architecture, "tiny");
    for (const auto& [name, value] : shared) {
      if (model.count(name) > 0) model[name] = value;
    }
    if (*rung.attention != '\0') model["attention"] = rung.attention;
    if (model.count("max_positions") > 0) model["max_positions"] = "32";
    model["d_model"] = std::to_string(width);
    const Index difference = std::abs(weights_of(model, vocabulary) - weights);
    if (difference >= nearest) continue;
    nearest = difference;
    best = model;
  }
  ATTN_CHECK(10 * nearest <= weights, "no width of ", name_of(rung), " comes within a tenth of ",
             weights, " weights");
  return best;
}

// The rungs by name, all with the defaults of training.
std::vector<std::pair<std::string, TrainingTrial>> rungs(const std::string& task, bool quick) {
  const Defaults defaults = defaults_of(task);
  TrainingSettings training = trial_training(task);
  training.solved_after = 0;  // the same tokens for all
  if (quick) {
    training.steps = 20;
    training.validate_every = 10;
  }
  Settings transformer = preset_settings("transformer", defaults.preset);
  for (const auto& [name, value] : defaults.model) transformer[name] = value;
  const std::string vocabulary = std::to_string(find_task(task).tokenizer.size());
  const Index weights = weights_of(transformer, vocabulary);
  std::vector<std::pair<std::string, TrainingTrial>> result;
  for (const Rung& rung : kRungsOfLadder) {
    const bool baseline = rung.architecture == std::string("transformer");
    result.emplace_back(
        name_of(rung),
        TrainingTrial{baseline ? transformer : sized(rung, defaults.model, weights, vocabulary),
                      training});
  }
  return result;
}

}  // namespace

TrainedVariants ladder(const std::string& task, const Settings& scales, bool quick) {
  TrainedVariants all{rungs(task, quick), {1, 2, 3, 4, 5, 6}};
  if (quick) all.seeds = {1};
  for (auto& [name, trial] : all.variants) {
    const auto scale = scales.find(name);
    if (scale != scales.end()) set(trial.training, "learning_rate_scale", scale->second);
  }
  return all;
}

TrainedVariants ladder_sweep(const std::string& task, bool quick) {
  TrainedVariants all{{}, {11}};
  for (const auto& [name, trial] : rungs(task, quick)) {
    for (const char* scale : kScales) {
      TrainingTrial swept = trial;
      swept.training.steps /= 2;
      set(swept.training, "learning_rate_scale", scale);
      all.variants.emplace_back(name + kTimes + scale, swept);
      if (quick) break;
    }
  }
  return all;
}

Settings best_scales(const std::vector<TrialResult>& sweep) {
  Settings best;
  std::map<std::string, double> smallest;
  for (const TrialResult& result : sweep) {
    const std::size_t at = result.trial.variant.rfind(kTimes);
    ATTN_CHECK(at != std::string::npos, "'", result.trial.variant, "' is no trial of a sweep");
    const std::string rung = result.trial.variant.substr(0, at);
    const double perplexity = measured(result.values, "validation");
    const auto found = smallest.find(rung);
    if (found != smallest.end() && !(perplexity < found->second)) continue;
    smallest[rung] = perplexity;
    best[rung] = result.trial.variant.substr(at + std::string(kTimes).size());
  }
  return best;
}

}  // namespace attn
