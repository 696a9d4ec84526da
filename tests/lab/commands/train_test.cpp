#include <doctest/doctest.h>

#include <string>

#include "lab/commands/commands.h"
#include "support/defaults_in_help.h"
#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("training");

TEST_CASE("what is reported is said by the weights that are kept, not by the last ones") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  // The rate grows until the loss explodes, so the first validation is the best.
  const Outcome outcome = worked(run(
      "train phrasebook --steps 40 --validate-every 5 --warmup 40 " +
      std::string("--learning-rate-scale 100 --clip 0 --averaging 0 ") + "--out " + made + kTiny));
  REQUIRE(contains(outcome.err, "kept for translating: the weights of step 5,"));
  const std::string source = "Jane visite l'Afrique en septembre";
  const std::string kept = run("translate --beam 1 --model " + made, source + "\n").out;
  REQUIRE(kept.size() > 1);
  const std::size_t begin = outcome.out.find(source);
  REQUIRE(begin != std::string::npos);
  const std::string line = outcome.out.substr(begin, outcome.out.find('\n', begin) - begin);
  CHECK(line.substr(line.find("→ ") + std::string("→ ").size()) + "\n" == kept);
}

TEST_CASE("a last validation between the regular ones is not among those that are compared") {
  const TemporaryDirectory directory;
  const Outcome outcome =
      worked(run("train phrasebook --steps 7 --validate-every 5 --warmup 2 --out " +
                 directory.path("run") + kTiny));
  CHECK(contains(outcome.err, "step 7/7"));
  CHECK_MESSAGE(contains(outcome.err,
                         "kept for translating: the weights of step 5, with the "
                         "smallest perplexity at a multiple of 5 steps, "),
                outcome.err);
}

TEST_CASE("help shows the defaults that the laboratory's tasks have, and its models") {
  const app::Program& lab = app::laboratory_program();
  CHECK(compare_defaults_in_help(lab) == 28);
  for (const Architecture& one : lab.architectures) {
    CHECK(contains(lab.commands.front().help, one.name));
  }
}

TEST_SUITE_END();

}  // namespace attn::test
