// The default settings of each task, found by trying others.
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

// Naming a preset for text or language asks for its sizes and the paper's schedule.
Defaults defaults_of(const std::string& task, bool preset_named = false);

}  // namespace attn
