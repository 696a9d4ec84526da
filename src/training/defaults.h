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
Defaults toy_defaults();  // copy, reverse, bracketing
Defaults phrasebook_defaults();
Defaults text_defaults();         // text
Defaults text_preset_defaults();  // text if a preset is named: its sizes and the paper's schedule
Defaults defaults_of(const std::string& task);

constexpr Index kDefaultVocabulary = 4000;  // the most tokens for `text`

}  // namespace attn
