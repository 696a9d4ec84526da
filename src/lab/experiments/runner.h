// Runs an experiment: every variant with every seed. Its directory holds
//
//     experiment.txt  which experiment it is
//     VARIANT-SEED/   what a trial needs to continue, or left; result.tsv once it is finished
//     results.tsv     a line for each finished trial: variant, seed, measures
//
// so an interrupted experiment continues where it was, and several processes can share one: each
// takes trials that are neither finished nor being run. A trial whose training diverges is
// finished: its measures are "diverged" in the tables, and NaN here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn {

struct Trial {
  std::string variant;
  std::uint64_t seed = 1;
};

struct TrialResult {
  Trial trial;
  std::vector<double> values;  // one for each measure; NaN if it diverged
};
// "0.25", "diverged"
std::string measured_text(double value);

struct Experiment {
  // The first is the baseline that the others are compared with.
  std::vector<std::string> variants;
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> measures;
  // The values of a trial, which may continue what it finds in its directory. Nothing if it was
  // stopped. Throws Diverged if its training did.
  std::function<std::optional<std::vector<double>>(const Trial&, const std::string& directory)> run;
};

// An experiment whose trials keep nothing on disk: each variant is a function of the seed.
using ShortTrial = std::function<std::vector<double>(std::uint64_t seed)>;
Experiment short_experiment(const std::vector<std::pair<std::string, ShortTrial>>& variants,
                            const std::vector<std::uint64_t>& seeds,
                            const std::vector<std::string>& measures);

struct RunnerEvents {
  std::function<void(const Trial&, std::size_t finished, std::size_t all)> begin;
  std::function<void(const TrialResult&)> end;
  // Asked several times per second while only trials are `left` that other processes are running,
  // or, with 0 left, while another process is writing results.tsv: false stops.
  std::function<bool(std::size_t left)> wait;
};

// Claims a new or empty directory for the experiment of this name. Throws Error if it belongs to
// another experiment, whose trials would be taken for this one's, or holds anything else.
void claim_directory(const std::string& directory, const std::string& name);

enum class ExperimentEnd { finished, stopped };

// Runs what is not finished yet, seed by seed, so that whenever it is stopped the variants have
// been tried about equally often. Then waits for other processes, and takes over the trial of one
// that has ended before its trial: finished means that all trials are. Throws Error if a result
// there is not this experiment's, if a trial gives a wrong number of values, or if nothing can be
// written.
ExperimentEnd run_experiment(const Experiment& experiment, const std::string& directory,
                             const RunnerEvents& events = {});

// Every trial at once, without a directory: for experiments that keep nothing there.
std::vector<TrialResult> run_in_memory(const Experiment& experiment);

// The finished trials, in the order in which they are run.
std::vector<TrialResult> finished_trials(const Experiment& experiment,
                                         const std::string& directory);

// A variant's values of one measure, by seed. Throws Error if the experiment does not have it.
std::map<std::uint64_t, double> values_of(const Experiment& experiment,
                                          const std::vector<TrialResult>& results,
                                          const std::string& variant, const std::string& measure);
std::vector<double> numbers(const std::map<std::uint64_t, double>& values);  // without the seeds

}  // namespace attn
