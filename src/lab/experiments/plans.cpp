// Every plan is a list of names, each with what it changes in the settings of one baseline.
#include "lab/experiments/plans.h"

#include <cmath>
#include <cstdlib>
#include <map>

#include "app/defaults.h"
#include "base/check.h"
#include "base/number.h"
#include "model/architectures.h"
#include "tasks/task.h"
#include "text/lines.h"

namespace attn {

namespace {

using Names = std::vector<std::string>;

// Architecture and attention, where there is a choice: the Transformer first, then in the order of
// their publication.
const Names kLadder{"transformer",   "lstm none",          "rnn bahdanau", "gru bahdanau",
                    "lstm bahdanau", "lstm luong-general", "convs2s"};
constexpr const char* kScales[] = {"0.0875", "0.175", "0.35", "0.7", "1.4", "2.8"};
constexpr const char* kTimes = " x ";

Index weights_of(Settings model, const std::string& vocabulary) {
  model["source_vocabulary"] = model["target_vocabulary"] = vocabulary;
  return plan_model(model, "the ladder").weights;
}

// The settings of a rung, with the width that gives it about this many weights.
Settings sized(const std::string& rung, const Settings& shared, Index weights,
               const std::string& vocabulary) {
  const Names parts = split(rung, ' ');
  Settings best;
  Index nearest = weights;
  for (int width = 16; width <= 160; width += 2) {
    Settings model = changed_preset(parts[0], "tiny", shared);
    if (parts.size() > 1) model["attention"] = parts[1];
    if (model.count("max_positions") > 0) model["max_positions"] = "32";
    model["d_model"] = std::to_string(width);
    const Index difference = std::abs(weights_of(model, vocabulary) - weights);
    if (difference >= nearest) continue;
    nearest = difference;
    best = model;
  }
  ATTN_CHECK(10 * nearest <= weights, "no width of ", rung, " comes within a tenth of ", weights,
             " weights");
  return best;
}

// These rungs, the Transformer first, all with the defaults of training.
TrainedVariants rungs(const std::string& task, const Names& names, bool quick) {
  TrainingTrial trial = trial_of(task, quick);
  trial.training.solved_after = 0;  // the same tokens for all
  const Settings shared = defaults_of(task).model;
  const std::string vocabulary = std::to_string(find_task(task).tokenizer.size());
  const Index weights = weights_of(trial.model, vocabulary);
  TrainedVariants all{{}, seeds_to(6, quick)};
  for (const std::string& rung : names) {
    if (rung != names.front()) trial.model = sized(rung, shared, weights, vocabulary);
    all.variants.emplace_back(rung, trial);
  }
  return all;
}

// What a row of the small Table 3 changes in d_model 64, d_ff 256, h = 4, d_k = d_v = 16, N = 2.
struct Table3Row {
  const char *name, *changes;
  bool quick = false;  // whether it is a row of the quick one
};
constexpr Table3Row kTable3[] = {
    {"base", "", true},
    {"A h=1", "heads=1 d_k=64 d_v=64", true},
    {"A h=2", "heads=2 d_k=32 d_v=32"},
    {"A h=8", "heads=8 d_k=8 d_v=8"},
    {"A h=16", "heads=16 d_k=4 d_v=4"},
    {"B d_k=4", "d_k=4"},
    {"B d_k=8", "d_k=8"},
    {"d_v=4", "d_v=4"},
    {"d_v=8", "d_v=8"},
    {"C N=1", "layers=1"},
    {"C N=3", "layers=3"},
    {"C N=4", "layers=4"},
    {"C d_model=32", "d_model=32 d_k=8 d_v=8"},
    {"C d_model=128", "d_model=128 d_k=32 d_v=32"},
    {"C d_ff=128", "d_ff=128"},
    {"C d_ff=512", "d_ff=512"},
    {"D dropout=0.1", "dropout=0.1"},
    {"D dropout=0.2", "dropout=0.2"},
    {"D smoothing=0.0", "label_smoothing=0"},
    {"D smoothing=0.2", "label_smoothing=0.2"},
    {"E learned positions", "positions=learned", true},
    {"pre-norm", "norm=pre"},
    {"untied", "tie_embeddings=no"},
    {"no warm-up", "warmup=1"},
    {"rate 0.35", "learning_rate_scale=0.35"},
};

}  // namespace

TrainedVariants ladder(const std::string& task, bool quick) {
  return rungs(task, kLadder, quick);
}

// The Transformer, and a decoder-only model of its width. A layer of the encoder has 4 d² weights
// in its attention, one of the decoder 8 d², and both 8 d² in a feed-forward network with d_ff = 4
// d: 56 d² in 2 + 2 layers. Four layers with one attention each and a d_ff of 5 d have as many, and
// as many in norms and biases.
TrainedVariants one_stack(const std::string& task, bool quick) {
  TrainingTrial trial = trial_of(task, quick);
  trial.training.solved_after = 0;  // the same tokens for all
  TrainedVariants all{{{"transformer", trial}}, seeds_to(12, quick)};
  const std::string vocabulary = std::to_string(find_task(task).tokenizer.size());
  const Index weights = weights_of(trial.model, vocabulary);
  const auto number = [&](const char* name) {
    return parse_number<Index>(trial.model.at(name), "a whole number");
  };
  trial.model["layers"] = std::to_string(2 * number("layers"));
  trial.model["d_ff"] = std::to_string(5 * number("d_ff") / 4);
  trial.model["architecture"] = "decoder";
  for (const char* loss : {"target", "all"}) {
    trial.model["loss"] = loss;
    ATTN_CHECK_EQ(weights_of(trial.model, vocabulary), weights, "weights, both ways");
    all.variants.emplace_back(std::string("decoder ") + loss, trial);
  }
  all.shown = {"test", "longer"};  // perplexities with the loss on all are of other tokens
  return all;
}

TrainedVariants swept(const TrainedVariants& plan, std::uint64_t seed, bool quick) {
  TrainedVariants all = plan;
  all.variants.clear();
  all.seeds = {seed};
  for (const auto& [name, trial] : plan.variants) {
    for (const char* scale : kScales) {
      TrainingTrial at_scale = trial;
      at_scale.training.steps /= 2;
      set(at_scale.training, "learning_rate_scale", scale);
      all.variants.emplace_back(name + kTimes + scale, at_scale);
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
    ATTN_CHECK(at != std::string::npos, "'", result.trial.variant, "' is not a trial of a sweep");
    const std::string rung = result.trial.variant.substr(0, at);
    const double perplexity = measured(result.values, "validation");
    if (!std::isfinite(perplexity)) continue;
    const auto found = smallest.find(rung);
    if (found != smallest.end() && !(perplexity < found->second)) continue;
    smallest[rung] = perplexity;
    best[rung] = result.trial.variant.substr(at + std::string(kTimes).size());
  }
  return best;
}

TrainedVariants at_scales(TrainedVariants plan, const Settings& scales) {
  for (auto& [name, trial] : plan.variants) {
    const auto scale = scales.find(name);
    if (scale != scales.end()) set(trial.training, "learning_rate_scale", scale->second);
  }
  return plan;
}

TrainedVariants small_table3(bool quick) {
  TrainedVariants table{{}, seeds_to(12, quick)};
  for (const Table3Row& row : kTable3) {
    if (quick && !row.quick) continue;
    TrainingTrial trial = trial_of("phrasebook", quick);
    for (const std::string_view change : words(row.changes)) {
      const std::vector<std::string> parts = split(std::string(change), '=');
      const auto of_model = trial.model.find(parts[0]);
      if (of_model != trial.model.end()) {
        of_model->second = parts[1];
      } else {
        set(trial.training, parts[0], parts[1]);
      }
    }
    table.variants.emplace_back(row.name, trial);
  }
  return table;
}

TrainedVariants small_parsing(bool quick) {
  return rungs("bracketing", {"transformer", "lstm bahdanau"}, quick);
}

}  // namespace attn
