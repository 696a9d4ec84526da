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

TEST_CASE("an experiment goes on only where it began, with --quick as without") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("made");
  const Outcome stopped = run_script("nohup \"$attention\" experiment table3 --quick --out " +
                                     made + " & sleep 1; kill -TERM $!; wait $!");
  CHECK_MESSAGE(contains(stopped.err, " experiment table3 --quick --out " + made + "\n"),
                stopped.err);
  for (const std::string other : {"table3", "ladder --quick", "ladder"}) {
    CAPTURE(other);
    const Outcome outcome = run("experiment " + other + " --out " + made);
    CHECK(outcome.status == 1);
    CHECK_MESSAGE(
        contains(outcome.err, made + " holds the experiment 'table3 --quick', not '" + other + "'"),
        outcome.err);
  }
}

TEST_CASE("an experiment leaves a directory alone in which something else is") {
  const Outcome outcome = run("experiment table3 --quick --out " + small_run());
  CHECK(outcome.status == 1);
  CHECK_MESSAGE(contains(outcome.err, small_run() + " is neither empty nor an experiment's: "),
                outcome.err);
  CHECK(!std::filesystem::exists(small_run() + "/experiment.txt"));
}

TEST_CASE("experiment table1 counts, prints its tables and draws them, and does nothing twice") {
  const TemporaryDirectory directory;
  const std::string command = "experiment table1 --quick --out " + directory.path("made");
  const Outcome first = run(command);
  REQUIRE_MESSAGE(first.status == 0, first.err);
  for (const char* words : {"2.00 (2.00)", "The same by the clock", "steps n=8", "never"}) {
    CHECK_MESSAGE(contains(first.out, words), words);
  }
  for (const char* name : {"multiply_adds", "kept", "seconds", "steps", "path"}) {
    CHECK(contains(read_file(directory.path(std::string("made/") + name + ".svg")), "</svg>"));
  }
  CHECK(run(command + " --quiet").out == first.out);
}

TEST_CASE("experiment scores and experiment bracketing end with a table and pictures") {
  const TemporaryDirectory directory;
  const Outcome scores = run("experiment scores --quick --quiet --out " + directory.path("scores"));
  REQUIRE_MESSAGE(scores.status == 0, scores.err);
  CHECK(contains(scores.out, "reverse additive d_k=64"));
  CHECK(contains(read_file(directory.path("scores/accuracy.svg")), "</svg>"));
  const Outcome trees =
      run("experiment bracketing --quick --quiet --out " + directory.path("trees"));
  REQUIRE_MESSAGE(trees.status == 0, trees.err);
  CHECK(contains(trees.out, "longer_well_formed"));
  CHECK(contains(trees.out, "lstm bahdanau"));
  CHECK(contains(read_file(directory.path("trees/results.tsv")), "\tf1\twell_formed\t"));
}

TEST_CASE("an experiment that there is not is named, with those that there are") {
  const Outcome outcome = run("experiment table4");
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err,
                 "there is no experiment 'table4', only table1, scores, ladder, table3 or "
                 "bracketing; did you mean table1?"));
  CHECK(contains(run("experiment").err,
                 "which experiment? table1, scores, ladder, table3 or bracketing"));
}

TEST_SUITE_END();

}  // namespace attn::test
