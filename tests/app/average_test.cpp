#include <doctest/doctest.h>

#include "storage/atomic_file.h"
#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("average");

TEST_CASE("checkpoints of a run become one model that decodes") {
  const TemporaryDirectory directory;
  const std::string trained = directory.path("run"), mean = directory.path("mean");
  worked(run("train copy --quiet --steps 6 --save-every 2 --out " + trained + kTiny));
  const Outcome outcome = worked(run("average --out " + mean + " " + trained + "/checkpoints/*"));
  CHECK(outcome.err == "the mean of 3 models is in " + mean + "\n");
  CHECK(run("translate --model " + mean, "h e l l o\n").status == 0);
  const std::string one = trained + "/checkpoints/step-00000004.safetensors";
  worked(run("average --out " + directory.path("one") + " " + one));
  CHECK(read_file(directory.path("one") + "/model.safetensors") == read_file(one));
  CHECK(read_file(mean + "/model.safetensors") != read_file(one));
}

TEST_CASE("models that do not go together are refused") {
  const TemporaryDirectory directory;
  const std::string out = "average --out " + directory.path("mean") + " ";
  check_fails(run(out), "average which checkpoints?", 2);
  CHECK(run("average " + small_run()).status == 2);
  const std::string left = directory.path("step-00000002.safetensors.tmp-0123456789abcdef");
  write_file(left, read_file(small_run() + "/model.safetensors"));
  check_fails(run(out + small_run() + " " + left), left + " will become step-00000002");
  check_fails(run(out + small_run() + " " + directory.path("none")),
              "there is no such directory or file");
}

TEST_SUITE_END();

}  // namespace attn::test
