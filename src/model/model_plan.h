// From settings to a model. Everything else sees a SequenceModel, and settings as text.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "base/settings.h"
#include "model/config.h"
#include "model/sequence_model.h"

namespace attn {

// A model that can be made: its settings have been read and found possible.
struct ModelPlan {
  ModelFacts facts;
  std::unique_ptr<SequenceModel> (*make_from)(const Settings& settings);

  // Not yet initialised.
  std::unique_ptr<SequenceModel> make() const { return make_from(facts.settings); }
};

// Reads settings. Throws Error, which begins with `where`, for an unknown architecture and for
// settings that are missing or make no sense.
using PlanModel = ModelPlan(const Settings& settings, const std::string& where);

// Knows one architecture, "transformer". A program that has others passes a function of its own to
// whatever loads or makes a model; for the Transformer, that calls this one.
ModelPlan plan_transformer(const Settings& settings, const std::string& where);

// The setting "architecture". Throws Error if it is missing.
const std::string& architecture_of(const Settings& settings, const std::string& where);

// Settings whose vocabularies are not known yet, with the smallest that there can be.
Settings with_any_vocabulary(Settings settings);

// A model whose weights are still to be initialised or loaded. Throws Error as the plan does, and
// for more than `most_weights`.
std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          PlanModel* plan = plan_transformer,
                                          Index most_weights = std::numeric_limits<Index>::max());

// The settings without those that only earlier versions had. Throws Error, which begins with
// `where`, if one of these has a value that a model cannot do without.
Settings without_removed(Settings settings, const std::string& where);

// The plan of a model of type Model with the configuration of its kind.
template <class Model, class Config>
std::unique_ptr<SequenceModel> make_from(const Settings& settings) {
  return std::make_unique<Model>(from_settings<Config>(settings, "the model"));
}
template <class Model, class Config>
ModelPlan plan_of(const Settings& settings, const std::string& where) {
  const auto config = from_settings<Config>(without_removed(settings, where), where);
  return {facts_of(config), make_from<Model, Config>};
}

}  // namespace attn
