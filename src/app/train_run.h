// The run that `attention train` trains: a new one, or one that is resumed.
#pragma once

#include <memory>
#include <string>

#include "app/options.h"
#include "training/data.h"
#include "training/run_directory.h"

namespace attn::app {

struct Run {
  std::string directory;
  std::unique_ptr<SequenceModel> model;
  Trainer trainer;
  TrainingData data;
  RunLock lock;
};

// Makes the directory and saves what has not learned anything yet, or reads what was saved. Throws
// Error if the files do not fit together, if memory does not suffice for a step, or if another
// process trains in the directory.
Run begin_run(const Arguments& arguments);

}  // namespace attn::app
