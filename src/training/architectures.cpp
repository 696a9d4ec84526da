#include "training/architectures.h"

#include <algorithm>

#include "base/check.h"
#include "model/cost.h"
#include "model/transformer.h"

namespace attn {

const std::vector<std::string>& architecture_names() {
  static const std::vector<std::string> names{"transformer"};
  return names;
}

std::string architecture_list() {
  std::string list;
  for (const std::string& name : architecture_names()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

namespace {

void check_architecture(const std::string& name, const std::string& before) {
  const std::vector<std::string>& names = architecture_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  fail(before, "unknown architecture '", name, "'; there is: ", architecture_list());
}

// Calls use(config) with the settings as the configuration of their architecture, which has a type
// of its own.
template <class Use>
auto with_config(const Settings& settings, const std::string& where, const Use& use) {
  const auto architecture = settings.find("architecture");
  ATTN_CHECK(architecture != settings.end(), where, ": the setting 'architecture' is missing");
  check_architecture(architecture->second, where + ": ");
  return use(config_from_settings(settings, where));
}

std::unique_ptr<SequenceModel> model_of(const TransformerConfig& config) {
  return std::make_unique<Transformer>(config);
}

}  // namespace

Settings preset_settings(const std::string& architecture, const std::string& preset_name) {
  check_architecture(architecture, "");
  Settings settings = to_settings(preset(preset_name));
  settings["architecture"] = architecture;
  return settings;
}

std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          Index most_weights) {
  return with_config(settings, where, [&](const auto& config) {
    ATTN_CHECK(parameter_count(config) <= most_weights, where, ": the configuration asks for ",
               parameter_count(config), " weights, but there are only ", most_weights);
    return model_of(config);
  });
}

void check_model(const Settings& settings, const std::string& where) {
  with_config(settings, where, [](const auto&) {});
}

Index longest_sentence(const Settings& settings) {
  const auto positions = settings.find("positions");
  if (positions == settings.end() || positions->second != "learned") return kAnyLength;
  return parse_number<Index>(settings.at("max_positions"), "a whole number");
}

double training_memory(const Settings& settings, const std::string& where, Index tokens,
                       Index sentence_length, Index further_copies) {
  return with_config(settings, where, [&](const auto& config) {
    return training_memory(config, tokens, sentence_length, further_copies);
  });
}

}  // namespace attn
