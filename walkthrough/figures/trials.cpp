#include "trials.h"

#include <algorithm>

#include "base/check.h"
#include "base/number.h"
#include "table.h"

namespace attn::walkthrough {

Trials read_trials(const std::string& measurements, const std::string& name,
                   const std::string& task) {
  const auto add = [](auto& list, const auto& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  };
  Table table = read_table(measurements, name);
  if (!task.empty()) table = table.where("task", task);
  Trials trials;
  for (const std::string& column : table.columns) {
    if (column != "task" && column != "variant" && column != "seed") {
      trials.experiment.measures.push_back(column);
    }
  }
  for (const auto& row : table.rows) {
    TrialResult result{{row.at("variant"), parse_number<std::uint64_t>(row.at("seed"), "a seed")},
                       {}};
    for (const std::string& measure : trials.experiment.measures) {
      result.values.push_back(number_in(row, measure));
    }
    add(trials.experiment.variants, result.trial.variant);
    add(trials.experiment.seeds, result.trial.seed);
    trials.results.push_back(std::move(result));
  }
  return trials;
}

}  // namespace attn::walkthrough
