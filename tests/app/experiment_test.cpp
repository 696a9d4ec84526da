#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/program.h"
#include "lab/experiments/comparison.h"
#include "lab/experiments/plans.h"
#include "model/sequence_model.h"
#include "storage/atomic_file.h"
#include "storage/json.h"
#include "tasks/task.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("experiment");

namespace {

// Where the run of a trial is.
std::string run_of(const std::string& directory, const TrialResult& result) {
  std::string name = result.trial.variant;
  std::replace(name.begin(), name.end(), ' ', '-');
  return directory + '/' + name + '-' + std::to_string(result.trial.seed) + "/run";
}

// Checks what trials of one seed have left in their directory, and returns what is printed of them.
std::string printed_of_trials(const TrainedVariants& all, const std::string& title,
                              const std::string& directory) {
  CAPTURE(title);
  const Experiment experiment = experiment_of(all);
  const std::vector<TrialResult> results = finished_trials(experiment, directory);
  REQUIRE(results.size() == all.variants.size());
  const double of_transformer = measured(results[0].values, "weights");
  std::string table = "variant\tseed";
  for (const std::string& measure : kTrainingMeasures) table += '\t' + measure;
  table += '\n';
  for (std::size_t i = 0; i < results.size(); ++i) {
    const TrialResult& result = results[i];
    CAPTURE(result.trial.variant);
    const LoadedRun run = resume_run(run_of(directory, result));
    TrainingSettings settings = all.variants[i].second.training;
    settings.seed = result.trial.seed;
    CHECK(to_settings(run.trainer.settings) == to_settings(settings));
    CHECK(run.trainer.step == settings.steps);
    const double weights = measured(result.values, "weights");
    CHECK(weights == static_cast<double>(count_parameters(*run.model)));
    CHECK(std::abs(weights / of_transformer - 1) <= 0.1);
    for (const char* positive : {"perplexity", "validation", "seconds", "ms_per_token"}) {
      CAPTURE(positive);
      CHECK(measured(result.values, positive) > 0);
    }
    table += text(all.variants[i].first, '\t', result.trial.seed);
    for (const double value : result.values) table += '\t' + shortest(value);
    table += '\n';
  }
  CHECK(read_file(directory + "/results.tsv") == table);

  std::string printed;
  for (const std::string measure : {"test", "longer", "perplexity"}) {
    printed += text(title, '\n', comparison_text(experiment, results, measure), '\n');
    CHECK(read_file(directory + '/' + measure + ".svg") ==
          comparison_chart(experiment, results, title, measure));
  }
  return printed;
}

}  // namespace

TEST_CASE("an experiment compares its variants, keeps their results and runs none twice") {
  const TemporaryDirectory directory;
  const std::string command = "experiment table3 --quick --out " + directory.path("made");
  const Outcome first = worked(run(command));
  CHECK(contains(first.out, "  difference  "));
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

TEST_CASE("an experiment goes on only where it began, with --quick as without") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("made");
  const Outcome stopped = run_script("nohup \"$attention\" experiment table3 --quick --out " +
                                     made + " & sleep 1; kill -TERM $!; wait $!");
  CHECK_MESSAGE(contains(stopped.err, " experiment table3 --quick --out " + made + "\n"),
                stopped.err);
  for (const std::string other : {"table3", "ladder --quick", "ladder"}) {
    check_fails(run("experiment " + other + " --out " + made),
                made + " holds the experiment 'table3 --quick', not '" + other + "'");
  }
}

TEST_CASE("an experiment leaves a directory alone in which something else is") {
  check_fails(run("experiment table3 --quick --out " + small_run()),
              small_run() + " is neither empty nor an experiment's: ");
  CHECK(!std::filesystem::exists(small_run() + "/experiment.txt"));
}

TEST_CASE("experiment table1 counts, prints its tables and draws them, and does nothing twice") {
  const TemporaryDirectory directory;
  const std::string command = "experiment table1 --quick --out " + directory.path("made");
  const Outcome first = worked(run(command));
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
  const Outcome scores =
      worked(run("experiment scores --quick --quiet --out " + directory.path("scores")));
  CHECK(contains(scores.out, "reverse additive d_k=64"));
  CHECK(contains(read_file(directory.path("scores/accuracy.svg")), "</svg>"));
  const Outcome trees =
      worked(run("experiment bracketing --quick --quiet --out " + directory.path("trees")));
  CHECK(contains(trees.out, "lstm bahdanau"));
}

// It trains and judges 28 models, which takes half a minute: tests/run --full runs it.
TEST_CASE("experiment ladder runs from its first sweep to its last picture, and nothing twice" *
          doctest::skip()) {
  const TemporaryDirectory directory;
  const std::string made = directory.path("made");
  const std::string command = "experiment ladder --quick --quiet --out " + made;
  const Outcome first = worked(run(command));
  CHECK(first.err.empty());
  std::string printed;
  for (const std::string task : {"reverse", "phrasebook"}) {
    CAPTURE(task);
    const std::string place = made + '/' + task;
    const TrainedVariants sweep = swept(ladder(task, true), 11, true);
    printed += printed_of_trials(sweep, "sweep, " + task, place + "/sweep");
    // Every rung has the one rate that a quick sweep tries.
    TrainedVariants rungs = ladder(task, true);
    for (std::size_t i = 0; i < rungs.variants.size(); ++i) {
      TrainingSettings& training = rungs.variants[i].second.training;
      training.learning_rate_scale = sweep.variants[i].second.training.learning_rate_scale;
    }
    printed += printed_of_trials(rungs, "ladder, " + task, place);

    // The program finds the same of a trained rung when it is asked about the same sentences.
    const TrialResult rung = finished_trials(experiment_of(rungs), place)[2];
    CHECK(rung.trial.variant == "rnn bahdanau");
    std::string source, target;
    for (const TextPair& pair : first_of(find_task(task).test_set(), kQuickSentences)) {
      source += pair.source + '\n';
      target += pair.target + '\n';
    }
    const std::string test = directory.path(task);
    write_file(test + ".source", source);
    write_file(test + ".target", target);
    const Json again = json_of(run("evaluate --json --model " + run_of(place, rung) + " --source " +
                                   test + ".source --target " + test + ".target"));
    CHECK(again.at("perplexity").number() ==
          doctest::Approx(measured(rung.values, "perplexity")).epsilon(1e-9));
    CHECK(again.at("exact_match").number() == measured(rung.values, "test"));
  }
  CHECK(first.out == printed);

  const std::string trained = run_of(made + "/reverse", {{"convs2s", 1}, {}}) + "/tokenizer.txt";
  const auto time = std::filesystem::last_write_time(trained);
  CHECK(run(command).out == first.out);
  CHECK(std::filesystem::last_write_time(trained) == time);
}

TEST_CASE("an experiment that there is not is named, with those that there are") {
  check_fails(run("experiment table4"),
              "there is no experiment 'table4', only table1, scores, ladder, decoder, table3 "
              "and bracketing; did you mean table1?",
              2);
  CHECK(contains(run("experiment").err,
                 "experiment what? table1, scores, ladder, decoder, table3 or "
                 "bracketing"));
}

TEST_SUITE_END();

}  // namespace attn::test
