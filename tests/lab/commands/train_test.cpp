#include <doctest/doctest.h>

#include <string>

#include "lab/commands/commands.h"
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

TEST_SUITE_END();

}  // namespace attn::test
