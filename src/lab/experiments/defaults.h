// The default settings of each task.
#pragma once

#include <string>

#include "base/settings.h"
#include "training/trainer.h"

namespace attn {

struct Defaults {
  std::string preset;  // the sizes of the model
  Settings model;      // what differs from the preset, whichever it is
  TrainingSettings training;
};

// Those of a task. With text, whoever names a preset wants its sizes and the paper's schedule.
Defaults defaults_of(const std::string& task, bool preset_named = false);

}  // namespace attn
