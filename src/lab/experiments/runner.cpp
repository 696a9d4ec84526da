// A trial is taken by locking its directory, and finished once its result is there; nothing else is
// shared between the processes of an experiment.
#include "lab/experiments/runner.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>

#include "base/check.h"
#include "base/number.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

namespace attn {

namespace {

constexpr const char* kDiverged = "diverged";
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// "A h=1", seed 2: A-h-1-2
std::string directory_of(const std::string& directory, const Trial& trial) {
  std::string name = text(trial.variant, '-', trial.seed);
  const auto is_other = [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '_'; };
  std::replace_if(name.begin(), name.end(), is_other, '-');
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
  for (const double value : result.values) line += '\t' + measured_text(value);
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
    const bool diverged = cells[i] == kDiverged;
    result.values.push_back(diverged ? kNaN : parse_number<double>(cells[i], "a number"));
  }
  return result;
}

// Leaves other processes some time. False if it was stopped instead.
bool wait(const RunnerEvents& events, std::size_t left) {
  if (events.wait && !events.wait(left)) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return true;
}

// False if it was stopped while it waited for another process, which was writing it.
bool write_table(const Experiment& experiment, const std::string& directory,
                 const RunnerEvents& events) {
  // The last one to write must see every result.
  std::shared_ptr<void> lock;
  while ((lock = lock_file(directory + "/lock")) == nullptr) {
    if (!wait(events, 0)) return false;
  }
  std::string contents = heading(experiment) + '\n';
  for (const TrialResult& result : finished_trials(experiment, directory)) {
    contents += line_of(result) + '\n';
  }
  write_file(directory + "/results.tsv", contents);
  return true;
}

// Nothing if it was stopped.
std::optional<TrialResult> run(const Experiment& experiment, const Trial& trial,
                               const std::string& place) {
  std::optional<std::vector<double>> values;
  try {
    values = experiment.run(trial, place);
  } catch (const Diverged&) {
    values.emplace(experiment.measures.size(), kNaN);
  }
  if (!values.has_value()) return std::nullopt;
  ATTN_CHECK(values->size() == experiment.measures.size(), "a trial gave ", values->size(),
             " values; expected ", experiment.measures.size());
  return TrialResult{trial, *values};
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
    const std::optional<TrialResult> result = run(experiment, trial, place);
    if (!result.has_value()) return false;
    write_file(place + "/result.tsv", heading(experiment) + '\n' + line_of(*result) + '\n');
    if (events.end) events.end(*result);
    if (!write_table(experiment, directory, events)) return false;
  }
  return true;
}

}  // namespace

std::string measured_text(double value) {
  return std::isfinite(value) ? shortest(value) : kDiverged;
}

Experiment short_experiment(const std::vector<std::pair<std::string, ShortTrial>>& variants,
                            const std::vector<std::uint64_t>& seeds,
                            const std::vector<std::string>& measures) {
  Experiment experiment{{}, seeds, measures, {}};
  for (const auto& variant : variants) experiment.variants.push_back(variant.first);
  experiment.run = [all = std::map(variants.begin(), variants.end())](const Trial& trial,
                                                                      const std::string&) {
    return all.at(trial.variant)(trial.seed);
  };
  return experiment;
}

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
      // Whoever ran the last trial may have been killed before this.
      const bool written = write_table(experiment, directory, events);
      return written ? ExperimentEnd::finished : ExperimentEnd::stopped;
    }
    if (!wait(events, left)) return ExperimentEnd::stopped;
  }
}

std::vector<TrialResult> run_in_memory(const Experiment& experiment) {
  std::vector<TrialResult> results;
  for (const Trial& trial : all_trials(experiment)) {
    const std::optional<TrialResult> result = run(experiment, trial, "");
    ATTN_CHECK(result.has_value(), "the trial of ", trial.variant, " was stopped");
    results.push_back(*result);
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

std::map<std::uint64_t, double> values_of(const Experiment& experiment,
                                          const std::vector<TrialResult>& results,
                                          const std::string& variant, const std::string& measure) {
  const auto found = std::find(experiment.measures.begin(), experiment.measures.end(), measure);
  ATTN_CHECK(found != experiment.measures.end(), "the experiment does not measure ", measure);
  const auto column = static_cast<std::size_t>(found - experiment.measures.begin());
  std::map<std::uint64_t, double> values;
  for (const TrialResult& result : results) {
    if (result.trial.variant == variant) values[result.trial.seed] = result.values.at(column);
  }
  return values;
}

std::vector<double> numbers(const std::map<std::uint64_t, double>& values) {
  std::vector<double> result;
  for (const auto& [seed, value] : values) result.push_back(value);
  return result;
}

}  // namespace attn
