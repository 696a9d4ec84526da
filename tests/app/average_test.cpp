#include <doctest/doctest.h>

#include "storage/atomic_file.h"
#include "storage/safetensors.h"
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

TEST_CASE("what is averaged of a run with a running mean is that mean") {
  const TemporaryDirectory directory;
  const std::string trained = directory.path("run"), mean = directory.path("mean");
  worked(
      run("train copy --quiet --averaging 0.5 --steps 6 --save-every 2 --out " + trained + kTiny));
  // The last checkpoint is the run's own model.
  worked(run("average --out " + directory.path("one") + " " + trained));
  const std::string last = read_file(trained + "/checkpoints/step-00000006.safetensors");
  CHECK(read_file(directory.path("one") + "/model.safetensors") == last);
  const std::string two = "/checkpoints/step-00000002.safetensors";
  worked(run("average --out " + mean + " " + trained + two + " " + trained));

  const auto tensors = [](const std::string& path) { return read_safetensors(path).tensors; };
  const auto early = tensors(trained + two), late = tensors(trained + "/model.safetensors");
  const auto both = tensors(mean + "/model.safetensors");
  const auto state = tensors(trained + "/training.safetensors");
  REQUIRE(both.size() == late.size());
  bool differs = false;
  for (const auto& averaged : both) {
    const std::string& name = averaged.first;
    const Tensor& tensor = averaged.second;
    CAPTURE(name);
    const Tensor &a = early.at(name), &b = late.at(name), &last_step = state.at(name);
    bool same = true;
    for (Index i = 0; i < tensor.elements(); ++i) {
      same &= tensor[i] == static_cast<Real>((double{a[i]} + double{b[i]}) / 2);
      differs |= b[i] != last_step[i];
    }
    CHECK(same);
  }
  CHECK(differs);  // what the run goes on from are the weights themselves
}

TEST_CASE("models that do not go together are refused") {
  const TemporaryDirectory directory;
  const std::string out = "average --out " + directory.path("mean") + " ";
  check_fails(run(out), "average which checkpoints?", 2);
  CHECK(run("average " + small_run()).status == 2);
  check_fails(run(out + small_run() + " " + directory.path("none")),
              "there is no such directory or file");
}

TEST_SUITE_END();

}  // namespace attn::test
