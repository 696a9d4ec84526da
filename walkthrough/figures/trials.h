// What the trials of an experiment measured, as tests/peers/experiment_tables.py keeps it: a column
// for the task, if there are several, then variant, seed and measures.
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/runner.h"

namespace attn::walkthrough {

struct Trials {
  Experiment experiment;  // its function does not run anything
  std::vector<TrialResult> results;
};

// The trials of MEASUREMENTS/name.tsv, those of one task if it is not empty. Throws Error if the
// table cannot be read or has none of them.
Trials read_trials(const std::string& measurements, const std::string& name,
                   const std::string& task = "");

}  // namespace attn::walkthrough
