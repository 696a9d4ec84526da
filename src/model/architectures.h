// Models by name. The loader of models knows the Transformer; any other architecture makes itself
// known with add_architecture, and can then be trained, saved, loaded and decoded like it.
// Everything else sees a SequenceModel, and settings as text.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "model/config.h"
#include "model/sequence_model.h"

namespace attn {

// A model that can be made: its settings have been read and found possible.
struct ModelPlan {
  Index weights = 0;                    // in all
  Index longest_sentence = kAnyLength;  // the most tokens that it can read or write
  std::function<std::unique_ptr<SequenceModel>()> make;  // not yet initialised
  // The bytes that training takes at most, as model/config.h estimates them.
  std::function<double(Index tokens, Index sentence_length, Index further_copies)> training_memory;
};

struct Architecture {
  std::string name;  // "transformer"
  // Its settings with these sizes, as far as it has them; the vocabularies are 0.
  std::function<Settings(const TransformerConfig& sizes)> settings;
  // Throws Error, which begins with `where`, for settings that are missing or make no sense.
  std::function<ModelPlan(const Settings& settings, const std::string& where)> plan;
};

// Makes an architecture known. Not while models are being loaded.
void add_architecture(const Architecture& architecture);

// The architectures that are known: "transformer", …
std::vector<std::string> architecture_names();

// The settings of an architecture with the sizes of a preset (model/config.h). Throws Error,
// listing what there is, for an unknown name of either.
Settings preset_settings(const std::string& architecture, const std::string& preset_name);

// Reads the settings of any architecture. Throws Error, which begins with `where`, for an unknown
// architecture and for settings that are missing or make no sense.
ModelPlan plan_model(const Settings& settings, const std::string& where);
// The same for settings whose vocabularies are not known yet.
ModelPlan plan_model_of_any_vocabulary(Settings settings, const std::string& where);

// A model whose weights are still to be initialised or loaded. Throws Error as plan_model does, and
// for more than `most_weights`.
std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          Index most_weights = std::numeric_limits<Index>::max());

// How an architecture plans a model of type Model with the configuration of its kind.
template <class Model, class Config>
ModelPlan plan_of(const Settings& settings, const std::string& where) {
  const auto config = from_settings<Config>(settings, where);
  return {parameter_count(config), longest_sentence(config),
          [config] { return std::make_unique<Model>(config); },
          [config](Index tokens, Index sentence_length, Index further_copies) {
            return training_memory(config, tokens, sentence_length, further_copies);
          }};
}

}  // namespace attn
