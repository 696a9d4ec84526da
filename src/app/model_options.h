// From the options that describe a model to its settings.
#pragma once

#include <functional>
#include <string>

#include "app/options.h"
#include "base/settings.h"

namespace attn::app {

constexpr Index kLargestVocabulary = 1 << 24;

// The option of a setting: "d-model" of "d_model".
std::string option_of(std::string setting);

// The settings, those that were given as options replaced. A flag is "yes".
Settings with_options(const Arguments& arguments, Settings settings);

// Runs a check of the library's, whose messages may begin with the name of a setting, and turns
// what it throws into a UsageError that names the option.
void as_usage_error(const Arguments& arguments, const std::function<void()>& check_settings);

// The settings of --architecture, or else of the usual one: a preset with these changes, and with
// the options --layers, --d-model and so on that were given. The vocabularies are not set. Throws
// UsageError for an impossible model, and for options that the architecture does not have.
Settings model_settings(const Arguments& arguments, const std::string& preset_name,
                        const Settings& changes, const std::string& usual = "transformer");

// The same with --vocabulary, or else this one.
Settings sized_settings(const Arguments& arguments, const std::string& preset_name,
                        Index vocabulary);

}  // namespace attn::app
