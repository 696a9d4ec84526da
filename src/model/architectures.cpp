// A list of names with what makes a model from settings, which begins with the paper's.
#include "model/architectures.h"

#include "model/transformer.h"

namespace attn {

static std::vector<Architecture>& known() {
  static std::vector<Architecture> architectures{
      {"transformer", [](const TransformerConfig& c) { return to_settings(c); },
       plan_of<Transformer, TransformerConfig>}};
  return architectures;
}

// Throws Error, which begins with `before`, if there is none of that name.
static const Architecture& find_architecture(const std::string& name, const std::string& before) {
  for (const Architecture& architecture : known()) {
    if (architecture.name == name) return architecture;
  }
  fail(before, "unknown architecture '", name, "'; there are: ", comma_list(architecture_names()));
}

void add_architecture(const Architecture& architecture) {
  known().push_back(architecture);
}

// Settings that earlier versions had, each with the value of a model that can do without it.
constexpr std::pair<const char*, const char*> kRemoved[] = {{"window", "0"}};

static void check_removed(const Settings& settings, const std::string& where) {
  for (const auto& [name, neutral] : kRemoved) {
    const auto found = settings.find(name);
    ATTN_CHECK(found == settings.end() || found->second == neutral, where, ": the setting '", name,
               "' is '", found->second, "', but this version has no such setting: it reads ",
               "models in which it is '", neutral, "'");
  }
}

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const Architecture& architecture : known()) names.push_back(architecture.name);
  return names;
}

Settings preset_settings(const std::string& architecture, const std::string& preset_name) {
  Settings settings = find_architecture(architecture, "").settings(preset(preset_name));
  settings["architecture"] = architecture;
  return settings;
}

ModelPlan plan_model(const Settings& settings, const std::string& where) {
  const auto architecture = settings.find("architecture");
  ATTN_CHECK(architecture != settings.end(), where, ": the setting 'architecture' is missing");
  const Architecture& found = find_architecture(architecture->second, where + ": ");
  check_removed(settings, where);
  return found.plan(settings, where);
}

ModelPlan plan_model_of_any_vocabulary(Settings settings, const std::string& where) {
  settings["source_vocabulary"] = settings["target_vocabulary"] = "3";
  return plan_model(settings, where);
}

std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          Index most_weights) {
  const ModelPlan plan = plan_model(settings, where);
  ATTN_CHECK(plan.weights <= most_weights, where, ": the configuration asks for ", plan.weights,
             " weights, but there are only ", most_weights);
  return plan.make();
}

}  // namespace attn
