// From the options that describe a model to its settings.
#pragma once

#include <functional>
#include <string>

#include "app/options.h"
#include "base/settings.h"
#include "model/config.h"

namespace attn::app {

// The option of a setting: "d-model" of "d_model".
std::string option_of(std::string setting);

// What was given for a setting: "yes" for a flag, which has no value.
std::string setting_or(const Arguments& arguments, const std::string& name,
                       const std::string& otherwise);

// Runs a check of the library's, whose messages may begin with the name of a setting of a model or
// of training, and makes what it throws a UsageError that names the option.
void as_usage_error(const std::function<void()>& check_settings);

// The settings of --architecture: a preset with these changes, and with the options --layers,
// --d-model and so on that were given. The vocabularies are not set. Throws UsageError for an
// impossible model, and for options that the architecture does not have.
Settings model_settings(const Arguments& arguments, const std::string& preset_name,
                        const Settings& changes);

// The same for commands that know the Transformer only.
TransformerConfig model_of_options(const Arguments& arguments, const std::string& preset_name);

}  // namespace attn::app
