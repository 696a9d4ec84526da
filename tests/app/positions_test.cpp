// Positions that came after the paper, through the whole program.
#include <doctest/doctest.h>

#include <string>

#include "app/program.h"
#include "base/format.h"
#include "storage/atomic_file.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("positions");

TEST_CASE("each kind of positions, in both models: resumes to the same bits, translates") {
  for (const char* architecture : {"transformer", "decoder"}) {
    for (const std::string kind : {"none", "rotary", "relative", "alibi", "random"}) {
      CAPTURE(architecture);
      CAPTURE(kind);
      const TemporaryDirectory directory;
      const auto train = [&](const std::string& arguments) {
        worked(run("train " + arguments + " --quiet"));
      };
      const std::string options =
          text("reverse --architecture ", architecture, " --positions ", kind, " --seed 7", kTiny, "--dropout 0.2 --attention-dropout 0.1 --out ");
      const std::string whole = directory.path("whole"), parts = directory.path("parts");
      train(options + whole + " --steps 9");
      train(options + parts + " --steps 4");
      train("--resume " + parts + " --steps 9 --threads 1");
      CHECK(read_file(whole + "/model.safetensors") == read_file(parts + "/model.safetensors"));
      CHECK(load_model(whole)->settings().at("positions") == kind);

      const std::string sources = directory.path("sources");
      write_file(sources, "a b c\nd\n");
      const Outcome written = worked(run("translate --model " + whole + " < " + sources));
      CHECK(split(written.out, '\n').size() >= 2);
    }
  }
}

TEST_CASE("trace names how queries are turned, and the bias") {
  const TemporaryDirectory directory;
  const auto traced = [&](const std::string& kind, const std::string& only) {
    const std::string made = directory.path(kind.substr(0, kind.find(' ')));
    const Outcome trained =
        run("train copy --positions " + kind + kTiny + "--steps 0 --quiet --out " + made);
    REQUIRE_MESSAGE((trained.status == 0 || contains(trained.err, "holds a run")), trained.err);
    return run("trace --model " + made + only + " \"a b\" \"a b\"").out;
  };
  const std::string rotary = traced("rotary", " --only heads.0");
  CHECK(contains(rotary, "Q_0 = e W^Q_i"));
  CHECK(contains(rotary, "Q = each pair turned by pos·10000^(−2i/d_k)"));
  CHECK(contains(traced("rotary", " --backward --only dQ_0"), "dQ_0 = dQ turned back"));
  const std::string alibi = traced("alibi", " --only heads.0");
  CHECK(contains(alibi, "B = −√d_k m |i − j|"));
  CHECK(contains(alibi, "S_B = S + B"));
  CHECK(contains(alibi, "A = S_B/√d_k"));
  const std::string relative = traced("relative", " --only heads.0");
  CHECK(contains(relative, "B = √d_k w_b"));
  CHECK(contains(relative, "w_b = w of the bucket b of i − j"));
  CHECK(contains(traced("relative", " --backward --only dw_b"),
                 "dw_b = √d_k Σ dS of the pairs in bucket b"));
}

TEST_SUITE_END();

}  // namespace attn::test
