// One kind of model is planned here: the paper's.
#include "model/model_plan.h"

#include <utility>

#include "model/transformer.h"

namespace attn {

const std::string& architecture_of(const Settings& settings, const std::string& where) {
  const auto architecture = settings.find("architecture");
  ATTN_CHECK(architecture != settings.end(), where, ": the setting 'architecture' is missing");
  return architecture->second;
}

ModelPlan plan_transformer(const Settings& settings, const std::string& where) {
  const std::string& architecture = architecture_of(settings, where);
  ATTN_CHECK(architecture == "transformer", where, ": unknown architecture '", architecture,
             "'; there are: transformer");
  return plan_of<Transformer, TransformerConfig>(settings, where);
}

// Settings that earlier versions had, each with the value of a model that can do without it.
constexpr std::pair<const char*, const char*> kRemoved[] = {{"window", "0"}};

Settings without_removed(Settings settings, const std::string& where) {
  for (const auto& [name, neutral] : kRemoved) {
    const auto found = settings.find(name);
    if (found == settings.end()) continue;
    ATTN_CHECK(found->second == neutral, where, ": the setting '", name, "' is '", found->second,
               "', but this version has no such setting: it reads models in which it is '", neutral,
               "'");
    settings.erase(found);
  }
  return settings;
}

Settings with_any_vocabulary(Settings settings) {
  settings["source_vocabulary"] = settings["target_vocabulary"] = "3";
  return settings;
}

std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          PlanModel* plan, Index most_weights) {
  const ModelPlan planned = plan(settings, where);
  ATTN_CHECK(planned.facts.weights <= most_weights, where, ": the configuration asks for ",
             planned.facts.weights, " weights, but there are only ", most_weights);
  return planned.make();
}

}  // namespace attn
