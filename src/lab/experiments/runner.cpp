#include "lab/experiments/runner.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/number.h"
#include "lab/experiments/statistics.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

namespace attn {

namespace {

// "A h=1", seed 2: A-h-1-2
std::string directory_of(const std::string& directory, const Trial& trial) {
  std::string name = text(trial.variant, '-', trial.seed);
  for (char& c : name) {
    const bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '.' || c == '_';
    if (!kept) c = '-';
  }
  return directory + '/' + name;
}

std::vector<Trial> all_trials(const Experiment& experiment) {
  std::vector<Trial> trials;
  for (const std::uint64_t seed : experiment.seeds) {
    for (const std::string& variant : experiment.variants) trials.push_back({variant, seed});
  }
  return trials;
}

std::string heading(const Experiment& experiment) {
  std::string line = "variant\tseed";
  for (const std::string& measure : experiment.measures) line += '\t' + measure;
  return line;
}

std::string line_of(const TrialResult& result) {
  std::string line = text(result.trial.variant, '\t', result.trial.seed);
  for (const double value : result.values) line += '\t' + shortest(value);
  return line;
}

std::optional<TrialResult> result_in(const Experiment& experiment, const std::string& directory,
                                     const Trial& trial) {
  const std::string path = directory_of(directory, trial) + "/result.tsv";
  if (!std::filesystem::exists(path)) return std::nullopt;
  const std::vector<std::string> lines = read_lines(path);
  ATTN_CHECK(lines.size() == 2 && lines[0] == heading(experiment), path,
             ": not a result of this experiment, which measures ", heading(experiment),
             "; remove it, or choose another directory");
  TrialResult result{trial, {}};
  const std::vector<std::string> cells = split(lines[1], '\t');
  const bool right = cells.size() == experiment.measures.size() + 2 && cells[0] == trial.variant &&
                     cells[1] == std::to_string(trial.seed);
  ATTN_CHECK(right, path, ": expected the result of ", trial.variant, " with seed ", trial.seed);
  for (std::size_t i = 2; i < cells.size(); ++i) {
    result.values.push_back(parse_number<double>(cells[i], "a number"));
  }
  return result;
}

void write_table(const Experiment& experiment, const std::string& directory) {
  // Another process may be writing it too; the last one to write must see every result.
  std::shared_ptr<void> lock;
  while (lock == nullptr) lock = lock_file(directory + "/lock");
  std::string contents = heading(experiment) + '\n';
  for (const TrialResult& result : finished_trials(experiment, directory)) {
    contents += line_of(result) + '\n';
  }
  write_file(directory + "/results.tsv", contents);
}

// Runs the trials that are left, except for those that other processes are running. False if it was
// stopped.
bool run_free_trials(const Experiment& experiment, const std::string& directory,
                     const RunnerEvents& events) {
  const std::vector<Trial> trials = all_trials(experiment);
  for (const Trial& trial : trials) {
    if (result_in(experiment, directory, trial).has_value()) continue;
    const std::string place = directory_of(directory, trial);
    make_directories(place);
    const std::shared_ptr<void> lock = lock_file(place + "/trial.lock");
    // Another process may be running it, or have finished it meanwhile.
    if (lock == nullptr || result_in(experiment, directory, trial).has_value()) continue;
    if (events.begin) {
      events.begin(trial, finished_trials(experiment, directory).size(), trials.size());
    }
    const std::optional<std::vector<double>> values = experiment.run(trial, place);
    if (!values.has_value()) return false;
    ATTN_CHECK(values->size() == experiment.measures.size(), "a trial gave ", values->size(),
               " values; expected ", experiment.measures.size());
    const TrialResult result{trial, *values};
    write_file(place + "/result.tsv", heading(experiment) + '\n' + line_of(result) + '\n');
    write_table(experiment, directory);
    if (events.end) events.end(result);
  }
  return true;
}

}  // namespace

void claim_directory(const std::string& directory, const std::string& name) {
  namespace fs = std::filesystem;
  const std::string path = directory + "/experiment.txt";
  // Another process may claim it now too: what it makes after the file is not foreign.
  std::string foreign;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (file.rfind("experiment.txt", 0) != 0) foreign = file;
  }
  if (!fs::exists(path, error)) {
    ATTN_CHECK(foreign.empty(), directory, " is neither empty nor an experiment's: ", foreign,
               " is in it; choose a new or an empty directory with --out");
    make_directories(directory);
    write_file(path, name + '\n');
    return;
  }
  const std::vector<std::string> lines = read_lines(path);
  const std::string there = lines.empty() ? "" : lines[0];
  ATTN_CHECK(there == name, directory, " holds the experiment '", there, "', not '", name,
             "'; choose another place with --out");
}

ExperimentEnd run_experiment(const Experiment& experiment, const std::string& directory,
                             const RunnerEvents& events) {
  make_directories(directory);
  const std::size_t all = all_trials(experiment).size();
  while (true) {
    if (!run_free_trials(experiment, directory, events)) return ExperimentEnd::stopped;
    const std::size_t left = all - finished_trials(experiment, directory).size();
    if (left == 0) {
      write_table(experiment, directory);  // who ran the last trial may have been killed before
      return ExperimentEnd::finished;
    }
    if (events.wait && !events.wait(left)) return ExperimentEnd::stopped;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

std::vector<TrialResult> run_in_memory(const Experiment& experiment) {
  std::vector<TrialResult> results;
  for (const Trial& trial : all_trials(experiment)) {
    const std::optional<std::vector<double>> values = experiment.run(trial, "");
    ATTN_CHECK(values.has_value(), "the trial of ", trial.variant, " was stopped");
    results.push_back({trial, *values});
  }
  return results;
}

std::vector<TrialResult> finished_trials(const Experiment& experiment,
                                         const std::string& directory) {
  std::vector<TrialResult> results;
  for (const Trial& trial : all_trials(experiment)) {
    if (auto result = result_in(experiment, directory, trial)) {
      results.push_back(std::move(*result));
    }
  }
  return results;
}

std::vector<double> values_of(const Experiment& experiment, const std::vector<TrialResult>& results,
                              const std::string& variant, const std::string& measure) {
  return paired_values(experiment, results, variant, variant, measure).one;
}

PairedValues paired_values(const Experiment& experiment, const std::vector<TrialResult>& results,
                           const std::string& one, const std::string& other,
                           const std::string& measure) {
  const auto found = std::find(experiment.measures.begin(), experiment.measures.end(), measure);
  ATTN_CHECK(found != experiment.measures.end(), "the experiment does not measure ", measure);
  const auto column = static_cast<std::size_t>(found - experiment.measures.begin());
  const auto value_of = [&](const std::string& variant, std::uint64_t seed) {
    const auto result = std::find_if(results.begin(), results.end(), [&](const TrialResult& r) {
      return r.trial.variant == variant && r.trial.seed == seed;
    });
    return result == results.end() ? std::nullopt : std::optional(result->values[column]);
  };
  PairedValues values;
  for (const std::uint64_t seed : experiment.seeds) {
    const auto first = value_of(one, seed), second = value_of(other, seed);
    if (!first.has_value() || !second.has_value()) continue;
    values.one.push_back(*first);
    values.other.push_back(*second);
  }
  return values;
}

namespace {

// Those of the seeds with which every variant that has a result has one.
std::vector<TrialResult> complete_seeds(const std::vector<TrialResult>& results) {
  std::map<std::uint64_t, std::size_t> variants_of;
  for (const TrialResult& result : results) ++variants_of[result.trial.seed];
  std::set<std::string> variants;
  for (const TrialResult& result : results) variants.insert(result.trial.variant);
  std::vector<TrialResult> complete;
  for (const TrialResult& result : results) {
    if (variants_of[result.trial.seed] == variants.size()) complete.push_back(result);
  }
  return complete;
}

}  // namespace

std::string comparison_text(const Experiment& experiment, const std::vector<TrialResult>& results,
                            const std::string& measure) {
  const std::string& baseline = experiment.variants.front();
  const std::vector<TrialResult> complete = complete_seeds(results);
  std::vector<std::size_t> compared;  // rows of the table
  std::vector<std::vector<double>> differences;
  std::vector<std::vector<std::string>> rows{
      {measure, "n", "mean", "95 % interval", "difference", "95 % interval", "p", "p of all"}};
  const auto interval_of = [](const std::vector<double>& values) {
    const Interval interval = bootstrap_interval(values);
    return text(fixed(interval.low, 4), " to ", fixed(interval.high, 4));
  };
  for (const std::string& variant : experiment.variants) {
    const std::vector<double> values = values_of(experiment, results, variant, measure);
    rows.push_back({variant, std::to_string(values.size())});
    if (values.empty()) continue;
    rows.back().push_back(fixed(mean(values), 4));
    rows.back().push_back(interval_of(values));
    const PairedValues paired = paired_values(experiment, complete, variant, baseline, measure);
    if (variant == baseline || paired.one.empty()) continue;
    compared.push_back(rows.size() - 1);
    differences.emplace_back();
    for (std::size_t i = 0; i < paired.one.size(); ++i) {
      differences.back().push_back(paired.one[i] - paired.other[i]);
    }
  }
  const std::vector<double> p = sign_flip_p(differences);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const double difference = mean(differences[i]);
    std::vector<std::string>& row = rows[compared[i]];
    row.push_back((difference > 0 ? "+" : "") + fixed(difference, 4));
    row.push_back(interval_of(differences[i]));
    row.push_back(fixed(sign_flip_p({differences[i]})[0], 3));
    row.push_back(fixed(p[i], 3));
  }
  return table(rows);
}

}  // namespace attn
