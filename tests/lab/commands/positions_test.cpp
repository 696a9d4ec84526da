// Rotary positions, and none, of a decoder-only model through the whole program.
#include <doctest/doctest.h>

#include <string>

#include "base/format.h"
#include "lab/models.h"
#include "storage/atomic_file.h"
#include "support/program.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("positions");

TEST_CASE("each kind of positions in a decoder-only model: resumes to the same bits, translates") {
  for (const std::string kind : {"none", "rotary"}) {
    CAPTURE(kind);
    const TemporaryDirectory directory;
    const auto train = [&](const std::string& arguments) {
      worked(run("train " + arguments + " --quiet"));
    };
    const std::string options =
        text("reverse --architecture decoder --positions ", kind, " --seed 7", kTiny,
             "--dropout 0.2 --attention-dropout 0.1 --out ");
    const std::string whole = directory.path("whole"), parts = directory.path("parts");
    train(options + whole + " --steps 9");
    train(options + parts + " --steps 4");
    train("--resume " + parts + " --steps 9 --threads 1");
    CHECK(read_file(whole + "/model.safetensors") == read_file(parts + "/model.safetensors"));
    CHECK(load_model(whole, plan_any_model)->settings().at("positions") == kind);

    const std::string sources = directory.path("sources");
    write_file(sources, "a b c\nd\n");
    const Outcome written = worked(run("translate --model " + whole + " < " + sources));
    CHECK(split(written.out, '\n').size() >= 2);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
