#include <doctest/doctest.h>

#include "app/program.h"
#include "storage/atomic_file.h"

namespace attn::test {

TEST_SUITE_BEGIN("average");

TEST_CASE("checkpoints of a run become one model that decodes") {
  const TemporaryDirectory directory;
  const std::string trained = directory.path("run"), mean = directory.path("mean");
  REQUIRE(run("train copy --quiet --steps 6 --save-every 2 --out " + trained + kTiny).status == 0);
  const Outcome outcome = run("average --out " + mean + " " + trained + "/checkpoints/*");
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  CHECK(outcome.err == "the mean of 3 models is in " + mean + "\n");
  CHECK(run("translate --model " + mean, "h e l l o\n").status == 0);
  const std::string one = trained + "/checkpoints/step-00000004.safetensors";
  REQUIRE(run("average --out " + directory.path("one") + " " + one).status == 0);
  CHECK(read_file(directory.path("one") + "/model.safetensors") == read_file(one));
  CHECK(read_file(mean + "/model.safetensors") != read_file(one));
}

TEST_CASE("models that do not go together are refused") {
  const TemporaryDirectory directory;
  const std::string out = "average --out " + directory.path("mean") + " ";
  CHECK(run(out).status == 2);
  CHECK(contains(run(out).err, "average which checkpoints?"));
  CHECK(run("average " + small_run()).status == 2);
  const Outcome missing = run(out + small_run() + " " + directory.path("none"));
  CHECK(missing.status == 1);
  CHECK(contains(missing.err, "there is no such directory or file"));
}

TEST_SUITE_END();

}  // namespace attn::test
