// How each task is trained unless somebody says otherwise.
#pragma once

#include <string>

#include "base/settings.h"
#include "training/trainer.h"

namespace attn {

struct Defaults {
  std::string preset;         // the sizes of the model
  Settings model;             // what else of it differs from the preset, whichever that is
  TrainingSettings training;  // how it is trained
};
Defaults toy_defaults();   // copy, reverse
Defaults text_defaults();  // text
Defaults defaults_of(const std::string& task);

constexpr Index kDefaultVocabulary = 8000;  // the most tokens for `text`

}  // namespace attn
