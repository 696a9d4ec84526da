#include "lab/experiments/parsing.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lab/experiments/ladder.h"
#include "metrics/exact_match.h"
#include "tasks/task.h"
#include "training/run_directory.h"

namespace attn {

TrainedVariants small_parsing(bool quick) {
  TrainedVariants all = ladder("bracketing", {}, quick);
  const auto left_out = [](const auto& variant) {
    return variant.first != "transformer" && variant.first != "lstm bahdanau";
  };
  all.variants.erase(std::remove_if(all.variants.begin(), all.variants.end(), left_out),
                     all.variants.end());
  return all;
}

BracketCounts parsed(const SequenceModel& model, const Tokenizer& tokenizer,
                     const std::vector<TextPair>& pairs) {
  const ExactMatches found = exact_matches(model, tokenizer, pairs);
  BracketCounts counts;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    counts += bracket_counts(found.outputs[i], pairs[i].target);
  }
  return counts;
}

Experiment parsing_experiment(const TrainedVariants& all, const TrialEvents& events) {
  Experiment experiment = experiment_of(all, events);
  for (const char* measure : {"f1", "well_formed", "longer_f1", "longer_well_formed"}) {
    experiment.measures.emplace_back(measure);
  }
  experiment.run = [train = experiment.run](const Trial& trial, const std::string& directory) {
    std::optional<std::vector<double>> values = train(trial, directory);
    if (!values.has_value()) return values;
    const TrainedModel trained = load_trained_model(directory + "/run");
    const Task task = find_task("bracketing");
    for (const auto& pairs : {task.test_set(), task.longer_test_set()}) {
      const BracketCounts counts = parsed(*trained.model, trained.tokenizer, pairs);
      values->push_back(bracket_scores(counts).f1);
      values->push_back(static_cast<double>(counts.well_formed) /
                        static_cast<double>(counts.trees));
    }
    return values;
  };
  return experiment;
}

}  // namespace attn
