// An option is a setting with dashes: --d-model is d_model. What is given replaces the preset's.
#include "app/model_options.h"

#include <algorithm>

#include "app/defaults.h"
#include "text/vocabulary.h"

namespace attn::app {

// Prefix of the messages of checks.
static const std::string kWhere = "the options";

std::string option_of(std::string setting) {
  std::replace(setting.begin(), setting.end(), '_', '-');
  return setting;
}

Settings with_options(const Arguments& arguments, Settings settings) {
  for (auto& [name, value] : settings) {
    const std::string option = option_of(name);
    if (!arguments.has(option)) continue;
    value = arguments.value(option).empty() ? "yes" : arguments.value(option);
  }
  return settings;
}

void as_usage_error(const Arguments& arguments, const std::function<void()>& check_settings) {
  try {
    check_settings();
  } catch (const Error& error) {
    std::string message = error.what();
    if (message.compare(0, kWhere.size(), kWhere) == 0) message.erase(0, kWhere.size() + 2);
    const std::string option = option_of(message.substr(0, message.find_first_of(" :")));
    if (arguments.takes(option)) message.replace(0, option.size(), "--" + option);
    throw UsageError(message);
  }
}

Settings model_settings(const Arguments& arguments, const std::string& preset_name,
                        const Settings& changes, const std::string& usual) {
  const std::string architecture = arguments.value_or("architecture", usual);
  const Architectures& architectures = arguments.program().architectures;
  Settings settings;
  as_usage_error(arguments, [&] {
    settings = changed_preset(architecture, preset_name, changes, architectures);
  });
  for (const Architecture& other : architectures) {
    for (const auto& [name, value] : other.settings(preset("base"))) {
      if (settings.count(name) > 0 || !arguments.has(option_of(name))) continue;
      fail_usage("--", option_of(name), " is not for --architecture ", architecture);
    }
  }
  settings = with_options(arguments, settings);
  const auto positions = settings.find("positions");
  if (arguments.has("max-positions") && positions != settings.end() &&
      positions->second != "learned") {
    fail_usage("--max-positions is for --positions learned; ", positions->second,
               positions->second == "none" ? " has no limit" : " ones have no limit");
  }
  as_usage_error(arguments, [&] {
    share_among_heads([&](const std::string& name) { return arguments.has(option_of(name)); },
                      settings);
    arguments.program().makers.model(with_any_vocabulary(settings), kWhere);
  });
  return settings;
}

Settings sized_settings(const Arguments& arguments, const std::string& preset_name,
                        Index vocabulary) {
  Settings settings = model_settings(arguments, preset_name, {});
  settings["source_vocabulary"] = settings["target_vocabulary"] = std::to_string(
      arguments.number_or("vocabulary", vocabulary, kSpecialTokens + 1, kLargestVocabulary));
  as_usage_error(arguments, [&] { arguments.program().makers.model(settings, kWhere); });
  return settings;
}

}  // namespace attn::app
