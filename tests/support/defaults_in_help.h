// What the help of train says of defaults, and what they are.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/options.h"
#include "base/settings.h"

namespace attn::test {

// Returns how many options were compared.
inline int compare_defaults_in_help(const app::Program& program) {
  const app::Command& train = program.commands.front();
  // By the names of options.
  std::vector<Settings> of_tasks;
  for (const app::Subject& subject : program.subjects) {
    const Defaults& defaults = subject.defaults;
    Settings& all = of_tasks.emplace_back();
    all = {{"preset", defaults.preset}, {"architecture", "transformer"}};
    const Settings model = changed_preset("transformer", defaults.preset, {});
    for (const Settings& settings : {model, defaults.changes(), to_settings(defaults.training)}) {
      for (const auto& [name, value] : settings) all[app::option_of(name)] = value;
    }
  }
  int compared = 0;
  for (const app::Option& option : train.options) {
    const bool derived = option.name == "d-k" || option.name == "d-v";
    if (option.by_default.empty() || derived || of_tasks[0].count(option.name) == 0) continue;
    std::string expected = of_tasks[0].at(option.name);
    for (std::size_t i = 1; i < of_tasks.size(); ++i) {
      const std::string& other = of_tasks[i].at(option.name);
      if (other != of_tasks[0].at(option.name)) {
        expected += text("; ", train.subjects[i], ": ", other);
      }
    }
    CAPTURE(option.name);
    CHECK(option.by_default == expected);
    ++compared;
  }
  return compared;
}

}  // namespace attn::test
