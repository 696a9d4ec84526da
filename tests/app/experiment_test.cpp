#include <doctest/doctest.h>

#include <filesystem>

#include "app/program.h"
#include "storage/atomic_file.h"

namespace attn::test {

TEST_SUITE_BEGIN("experiment");

TEST_CASE("an experiment compares its variants, keeps their results and runs none twice") {
  const TemporaryDirectory directory;
  const std::string command = "experiment table3 --quick --out " + directory.path("made");
  const Outcome first = run(command);
  REQUIRE_MESSAGE(first.status == 0, first.err);
  CHECK(contains(first.out, "against base"));
  CHECK(contains(first.out, "E learned positions"));
  CHECK(contains(first.err, "base, seed 1:  weights 295360  test "));
  const std::string table = read_file(directory.path("made/results.tsv"));
  CHECK(count(table, "\n") == 4);
  CHECK(contains(read_file(directory.path("made/test.svg")), "</svg>"));

  const Outcome again = run(command + " --quiet");
  CHECK(again.out == first.out);
  CHECK(again.err.empty());
  CHECK(read_file(directory.path("made/results.tsv")) == table);
}

TEST_CASE("Ctrl-C stops an experiment, which says how to continue and then does") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("made");
  const Outcome stopped = run_script("nohup \"$attention\" experiment table3 --out " + made +
                                     " & sleep 1; kill -TERM $!; wait $!");
  CHECK(stopped.status == 143);
  CHECK(contains(stopped.err, "stopped and saved. To continue:"));
  CHECK(contains(stopped.err, " experiment table3 --out " + made));
  CHECK(std::filesystem::exists(made + "/base-1/run/training.safetensors"));
}

TEST_CASE("an experiment that there is not is named, with those that there are") {
  const Outcome outcome = run("experiment table4");
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err,
                 "there is no experiment 'table4', only table1, ladder, table3 or bracketing; did you mean table1?"));
  CHECK(contains(run("experiment").err, "which experiment? table1, ladder, table3 or bracketing"));
}

TEST_SUITE_END();

}  // namespace attn::test
