// A training run: prepared and put on disk, or continued from there.
#pragma once

#include <functional>
#include <string>

#include "base/settings.h"
#include "training/data.h"
#include "training/run_directory.h"

namespace attn {

// A new run.
struct RunPlan {
  Settings model;  // without vocabularies, which the data have
  TrainingSettings training;
  TokenizerPlan tokenizer;
};

// What makes the model and the data of a run from its settings. A program that has further models
// or data passes functions of its own, which call these for the rest.
struct Makers {
  PlanModel* model = plan_transformer;
  MakeData* data = training_data;
};

// Reads or makes the data and initialises the model; writes nothing. Throws Error for impossible
// settings and data, and if memory does not suffice for a step.
Run prepare_run(const RunPlan& plan, const Makers& makers = {});
// Makes the directory and saves the run before its first step, so that it can be resumed whenever
// it is killed, and a directory that cannot be written is an error now. Throws as create_run does.
void keep_run(Run& run, const std::string& directory);

// The run in a directory, as resume_run reads it; `change` may change its settings before its data
// are read. Throws Error if another process trains in the directory, and as prepare_run does.
Run continued_run(const std::string& directory, const std::function<void(Trainer&)>& change = {},
                  const Makers& makers = {});

TrainingEnd train(Run& run, const TrainingEvents& events);

}  // namespace attn
