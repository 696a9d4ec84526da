// The default settings of each task, found by trying others, and the models that follow from them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/settings.h"
#include "model/config.h"
#include "training/trainer.h"

namespace attn {

struct Defaults {
  std::string preset;  // the sizes of the model, but for
  Settings sizes;      // these; a preset that is named has its own
  Settings model;      // what else differs from a preset, whichever it is
  TrainingSettings training;

  // All that differs from the preset.
  Settings changes(bool preset_named = false) const {
    Settings all = model;
    if (!preset_named) all.insert(sizes.begin(), sizes.end());
    return all;
  }
};

Defaults defaults_of(const std::string& task);

// A kind of model that --architecture can name.
struct Architecture {
  std::string name;  // "transformer"
  // Its settings with these sizes, as far as it has them; the vocabularies are 0.
  Settings (*settings)(const TransformerConfig& sizes);
};
using Architectures = std::vector<Architecture>;

const Architectures& transformer_alone();

// A preset of an architecture, with those of the changes that are settings of it. Throws Error,
// listing what there is, for an unknown name of either.
Settings changed_preset(const std::string& architecture, const std::string& preset,
                        const Settings& changes,
                        const Architectures& architectures = transformer_alone());
// Where not given, sets d_k = d_v = d_model/h (§3.2.2). Throws Error unless h divides d_model.
void share_among_heads(const std::function<bool(const std::string& name)>& is_given,
                       Settings& settings);

}  // namespace attn
