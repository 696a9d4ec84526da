#include <doctest/doctest.h>

#include <set>
#include <string>

#include "lab/commands/commands.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "support/defaults_in_help.h"
#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("training");

TEST_CASE("help shows the defaults that the tasks have, and the laboratory's models") {
  const app::Program& lab = app::laboratory_program();
  CHECK(compare_defaults_in_help(lab) == 28);
  for (const Architecture& one : lab.architectures) {
    CHECK(contains(lab.commands.front().help, one.name));
  }
}

TEST_CASE("a preset is sizes, nothing else") {
  const TemporaryDirectory directory;
  const auto settings_of = [&](const std::string& name, const std::string& options) {
    const std::string made = directory.path(name);
    write_file(directory.path("text"), std::string(3000, 'a') + "\n");
    worked(run("train language --text " + directory.path("text") +
               " --tokenizer char --hold-out 0 --steps 0 --quiet --out " + made + options));
    return read_safetensors(made + "/training.safetensors").metadata;
  };
  const Metadata usual = settings_of("usual", ""), tiny = settings_of("tiny", " --preset tiny");
  CHECK(tiny.at("config.d_model") == "64");
  CHECK(usual.at("config.d_model") == "160");
  const std::set<std::string> different{"config.layers",     "config.d_model", "config.d_ff",
                                        "config.heads",      "config.d_k",     "config.d_v",
                                        "attention.checksum"};
  for (const auto& setting : usual) {
    const std::string& name = setting.first;
    if (name.find('.') == name.npos || different.count(name) > 0) continue;
    CHECK_MESSAGE(tiny.at(name) == setting.second, name);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
