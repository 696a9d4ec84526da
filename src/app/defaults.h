// The default settings of each task, found by trying others, and the models that follow from them.
#pragma once

#include <functional>
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

// A preset of an architecture, with those of the changes that are settings of it. Throws Error if
// there is no such preset or architecture.
Settings changed_preset(const std::string& architecture, const std::string& preset,
                        const Settings& changes);
// Sets d_k = d_v = d_model/h (§3.2.2) in settings with heads, each unless it is given itself.
// Throws Error unless h divides d_model.
void share_among_heads(const std::function<bool(const std::string& name)>& is_given,
                       Settings& settings);

}  // namespace attn
