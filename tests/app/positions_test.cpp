// Rotary positions, and none, through the whole program.
#include <doctest/doctest.h>

#include <string>

#include "base/format.h"
#include "storage/atomic_file.h"
#include "support/program.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("positions");

TEST_CASE("each kind of positions: resumes to the same bits, translates") {
  for (const std::string kind : {"none", "rotary"}) {
    CAPTURE(kind);
    const TemporaryDirectory directory;
    const auto train = [&](const std::string& arguments) {
      worked(run("train " + arguments + " --quiet"));
    };
    const std::string options = text("reverse --positions ", kind, " --seed 7", kTiny,
                                     "--dropout 0.2 --attention-dropout 0.1 --out ");
    const std::string whole = directory.path("whole"), parts = directory.path("parts");
    train(options + whole + " --steps 9");
    train(options + parts + " --steps 4");
    train("--resume " + parts + " --steps 9 --threads 1");
    CHECK(read_file(whole + "/model.safetensors") == read_file(parts + "/model.safetensors"));
    CHECK(load_model(whole)->facts.settings.at("positions") == kind);

    const std::string sources = directory.path("sources");
    write_file(sources, "a b c\nd\n");
    const Outcome written = worked(run("translate --model " + whole + " < " + sources));
    CHECK(split(written.out, '\n').size() >= 2);
  }
}

TEST_CASE("trace names how queries are turned") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  worked(run(text("train copy --positions rotary", kTiny, "--steps 0 --quiet --out ", made)));
  const auto traced = [&](const std::string& only) {
    return run("trace --model " + made + only + " \"a b\" \"a b\"").out;
  };
  CHECK(contains(traced(" --only Q_0"), "Q_0 = u W^Q"));
  CHECK(contains(traced(" --only heads.0"), "Q = each pair turned by pos·10000^(−2i/d_k)"));
  CHECK(contains(traced(" --backward --only dQ_0"), "dQ_0 = dQ turned back"));
}

TEST_SUITE_END();

}  // namespace attn::test
