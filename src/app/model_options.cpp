#include "app/model_options.h"

#include <algorithm>

#include "model/architectures.h"
#include "training/training_settings.h"

namespace attn::app {

namespace {

// Before the messages of checks.
const std::string kWhere = "the options";

// Whether some architecture has the setting.
bool is_model_setting(const std::string& name) {
  const std::vector<std::string>& all = architecture_names();
  return std::any_of(all.begin(), all.end(), [&](const std::string& architecture) {
    return preset_settings(architecture, "base").count(name) > 0;
  });
}

// d_k = d_v = d_model/h, unless they are given themselves.
void set_head_sizes(const Arguments& arguments, Settings& settings) {
  const bool both = arguments.has("d-k") && arguments.has("d-v");
  if (both || (!arguments.has("d-model") && !arguments.has("heads"))) return;
  TransformerConfig sizes;
  as_usage_error([&] {
    for (const char* name : {"d_model", "heads"}) set(sizes, name, settings.at(name));
  });
  if (sizes.heads < 1 || sizes.d_model % sizes.heads != 0) {
    fail_usage("a d_model of ", sizes.d_model, " cannot be shared out among ", sizes.heads,
               " heads; choose --heads so that it divides --d-model, or give both --d-k and --d-v");
  }
  for (const char* name : {"d_k", "d_v"}) {
    if (!arguments.has(option_of(name))) {
      settings[name] = std::to_string(sizes.d_model / sizes.heads);
    }
  }
}

}  // namespace

std::string option_of(std::string setting) {
  std::replace(setting.begin(), setting.end(), '_', '-');
  return setting;
}

std::string setting_or(const Arguments& arguments, const std::string& name,
                       const std::string& otherwise) {
  const std::string option = option_of(name);
  if (!arguments.has(option)) return otherwise;
  return arguments.value(option).empty() ? "yes" : arguments.value(option);
}

void as_usage_error(const std::function<void()>& check_settings) {
  try {
    check_settings();
  } catch (const Error& error) {
    std::string message = error.what();
    if (message.compare(0, kWhere.size(), kWhere) == 0) message.erase(0, kWhere.size() + 2);
    const std::string first = message.substr(0, message.find_first_of(" :"));
    if (is_model_setting(first) || to_settings(TrainingSettings()).count(first) > 0) {
      message = "--" + option_of(first) + message.substr(first.size());
    }
    throw UsageError(message);
  }
}

Settings model_settings(const Arguments& arguments, const std::string& preset_name,
                        const Settings& changes) {
  const std::string architecture = arguments.value_or("architecture", "transformer");
  Settings settings;
  as_usage_error([&] { settings = preset_settings(architecture, preset_name); });
  for (const auto& [option, value] : arguments.values()) {
    std::string name = option;
    std::replace(name.begin(), name.end(), '-', '_');
    if (is_model_setting(name) && settings.count(name) == 0) {
      fail_usage("--", option, " is not for --architecture ", architecture);
    }
  }
  for (auto& [name, value] : settings) {
    const auto change = changes.find(name);
    if (change != changes.end()) value = change->second;
    value = setting_or(arguments, name, value);
  }
  if (settings.count("heads") > 0) set_head_sizes(arguments, settings);
  as_usage_error([&] { plan_model_of_any_vocabulary(settings, kWhere); });
  return settings;
}

TransformerConfig model_of_options(const Arguments& arguments, const std::string& preset_name) {
  Settings settings = model_settings(arguments, preset_name, {});
  settings["source_vocabulary"] = settings["target_vocabulary"] = "3";  // a valid one, to be set
  return config_from_settings(settings, kWhere);
}

}  // namespace attn::app
