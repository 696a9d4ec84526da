#include "lab/experiments/runner.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "base/check.h"
#include "storage/atomic_file.h"
#include "support/temporary_directory.h"

using namespace attn;
using attn::test::TemporaryDirectory;

namespace {

// Two variants, three seeds; a trial's value is 10 · seed, and 1 more for "new = 1".
Experiment small_experiment(std::vector<std::string>& ran) {
  Experiment experiment;
  experiment.variants = {"old", "new = 1"};
  experiment.seeds = {1, 2, 3};
  experiment.measures = {"score", "loss"};
  experiment.run = [&ran](const Trial& trial, const std::string& directory) {
    ran.push_back(text(trial.variant, ' ', trial.seed));
    CHECK(std::filesystem::is_directory(directory));
    const double score = 10.0 * static_cast<double>(trial.seed) + (trial.variant == "old" ? 0 : 1);
    return std::vector<double>{score, 0.1};
  };
  return experiment;
}

}  // namespace

TEST_SUITE("experiments") {
  TEST_CASE("every variant runs with every seed, and each finished trial is a line of the table") {
    const TemporaryDirectory directory;
    std::vector<std::string> ran;
    const Experiment experiment = small_experiment(ran);
    const std::string place = directory.path("made");
    std::string said;
    RunnerEvents events;
    events.begin = [&](const Trial& trial, std::size_t finished, std::size_t all) {
      said += text(finished, '/', all, ' ', trial.variant, '\n');
    };
    CHECK(run_experiment(experiment, place, events) == ExperimentEnd::finished);
    CHECK(ran == std::vector<std::string>{"old 1", "new = 1 1", "old 2", "new = 1 2", "old 3",
                                          "new = 1 3"});
    CHECK(read_file(place + "/results.tsv") ==
          "variant\tseed\tscore\tloss\n"
          "old\t1\t10\t0.1\nnew = 1\t1\t11\t0.1\nold\t2\t20\t0.1\nnew = 1\t2\t21\t0.1\n"
          "old\t3\t30\t0.1\nnew = 1\t3\t31\t0.1\n");
    CHECK(said == "0/6 old\n1/6 new = 1\n2/6 old\n3/6 new = 1\n4/6 old\n5/6 new = 1\n");
    // Nothing is left to run; but whoever finished the last trial may have been killed before it
    // wrote the table.
    const std::string table = read_file(place + "/results.tsv");
    write_file(place + "/results.tsv", "variant\tseed\tscore\tloss\n");
    CHECK(run_experiment(experiment, place) == ExperimentEnd::finished);
    CHECK(read_file(place + "/results.tsv") == table);
    CHECK(ran.size() == 6);
  }

  TEST_CASE("what was stopped or failed is run again, what was finished is not") {
    const TemporaryDirectory directory;
    std::vector<std::string> ran;
    Experiment experiment = small_experiment(ran);
    const auto run = experiment.run;
    experiment.run = [&](const Trial& trial, const std::string& place) {
      return ran.size() == 2 ? std::nullopt : run(trial, place);
    };
    CHECK(run_experiment(experiment, directory.path()) == ExperimentEnd::stopped);
    experiment.run = [&](const Trial& trial,
                         const std::string& place) -> std::optional<std::vector<double>> {
      if (ran.size() == 3) fail("no memory");
      return run(trial, place);
    };
    CHECK_THROWS_WITH_AS(run_experiment(experiment, directory.path()), "no memory", Error);
    CHECK(finished_trials(experiment, directory.path()).size() == 3);
    experiment.run = run;
    CHECK(run_experiment(experiment, directory.path()) == ExperimentEnd::finished);
    CHECK(ran.size() == 6);
  }

  TEST_CASE("a trial that another process runs is left to it") {
    const TemporaryDirectory directory;
    std::vector<std::string> ran;
    const Experiment experiment = small_experiment(ran);
    make_directories(directory.path("new---1-2"));
    RunnerEvents events;
    {
      const auto other = lock_file(directory.path("new---1-2/trial.lock"));
      events.wait = [](std::size_t left) {
        CHECK(left == 1);
        return false;
      };
      CHECK(run_experiment(experiment, directory.path(), events) == ExperimentEnd::stopped);
      CHECK(ran.size() == 5);
    }
    CHECK(run_experiment(experiment, directory.path()) == ExperimentEnd::finished);
    CHECK(ran.back() == "new = 1 2");
  }

  TEST_CASE("an experiment ends when other processes have finished what is left, or given it up") {
    for (const bool finishes : {true, false}) {
      CAPTURE(finishes);
      const TemporaryDirectory directory;
      std::vector<std::string> ran;
      const Experiment experiment = small_experiment(ran);
      const std::string place = directory.path("old-1");
      make_directories(place);
      auto other = lock_file(place + "/trial.lock");
      RunnerEvents events;
      int asked = 0;
      events.wait = [&](std::size_t) {
        if (++asked == 1) return true;
        if (finishes) {
          write_file(place + "/result.tsv", "variant\tseed\tscore\tloss\nold\t1\t7\t1\n");
        }
        other.reset();
        return true;
      };
      CHECK(run_experiment(experiment, directory.path(), events) == ExperimentEnd::finished);
      CHECK(asked == 2);
      CHECK(ran.size() == (finishes ? 5 : 6));
      CHECK(finished_trials(experiment, directory.path())[0].values[0] == (finishes ? 7 : 10));
    }
  }

  TEST_CASE("results of another experiment, and damaged ones, are refused by name") {
    const TemporaryDirectory directory;
    std::vector<std::string> ran;
    Experiment experiment = small_experiment(ran);
    CHECK(run_experiment(experiment, directory.path()) == ExperimentEnd::finished);
    experiment.measures = {"score", "time"};
    CHECK_THROWS_WITH_AS(run_experiment(experiment, directory.path()),
                         doctest::Contains("old-1/result.tsv: not a result of this experiment"),
                         Error);
    experiment.measures = {"score", "loss"};
    write_file(directory.path("old-1/result.tsv"), "variant\tseed\tscore\tloss\nold\t2\t1\t1\n");
    CHECK_THROWS_WITH_AS(finished_trials(experiment, directory.path()),
                         doctest::Contains("expected the result of old with seed 1"), Error);
    std::filesystem::remove(directory.path("old-1/result.tsv"));
    experiment.run = [](const Trial&, const std::string&) { return std::vector<double>{1}; };
    CHECK_THROWS_WITH_AS(run_experiment(experiment, directory.path()),
                         "a trial gave 1 values; expected 2", Error);
  }

  TEST_CASE("a directory is one experiment's, new or empty, and never another's") {
    const TemporaryDirectory directory;
    const std::string made = directory.path("made/deep");
    claim_directory(made, "table --quick");
    CHECK(read_file(made + "/experiment.txt") == "table --quick\n");
    write_file(made + "/results.tsv", "mine");
    claim_directory(made, "table --quick");  // to go on
    for (const std::string other : {"table", "ladder --quick", ""}) {
      CHECK_THROWS_WITH_AS(claim_directory(made, other),
                           (made + " holds the experiment 'table --quick', not '" + other +
                            "'; choose another place with --out")
                               .c_str(),
                           Error);
    }
    const std::string foreign = directory.path("made");
    CHECK_THROWS_WITH_AS(claim_directory(foreign, "table"),
                         (foreign + " is neither empty nor an experiment's: deep is in it; choose "
                                    "a new or an empty directory with --out")
                             .c_str(),
                         Error);
    CHECK(!std::filesystem::exists(foreign + "/experiment.txt"));
    // What a process left that was killed while it claimed the directory.
    const std::string killed = directory.path("killed");
    std::filesystem::create_directory(killed);
    write_file(killed + "/experiment.txt.tmp-1", "ta");
    claim_directory(killed, "table");
    CHECK(read_file(killed + "/experiment.txt") == "table\n");
  }

  TEST_CASE("a trial that diverges is recorded as such, and the experiment goes on") {
    const TemporaryDirectory directory;
    std::vector<std::string> ran;
    Experiment experiment = small_experiment(ran);
    const auto run = experiment.run;
    experiment.run = [&](const Trial& trial, const std::string& place) {
      const auto values = run(trial, place);
      if (trial.variant != "old" && trial.seed == 2) throw Diverged("the loss is not a number");
      return values;
    };
    CHECK(run_experiment(experiment, directory.path()) == ExperimentEnd::finished);
    CHECK(ran.size() == 6);
    CHECK(read_file(directory.path("results.tsv")).find("\nnew = 1\t2\tdiverged\tdiverged\n") !=
          std::string::npos);
    // It is not run again, and what an infinite perplexity has left is no obstacle.
    write_file(directory.path("old-3/result.tsv"), "variant\tseed\tscore\tloss\nold\t3\t1\tinf\n");
    CHECK(run_experiment(experiment, directory.path()) == ExperimentEnd::finished);
    CHECK(ran.size() == 6);
    const std::vector<TrialResult> results = finished_trials(experiment, directory.path());
    CHECK(std::isnan(results[3].values[0]));
    CHECK(read_file(directory.path("results.tsv")).find("\nold\t3\t1\tdiverged\n") !=
          std::string::npos);
  }

  TEST_CASE("whoever waits for another process to write the table can be stopped meanwhile") {
    const TemporaryDirectory directory;
    std::vector<std::string> ran;
    const Experiment experiment = small_experiment(ran);
    auto other = lock_file(directory.path("lock"));
    std::thread gives_up_at_last([&] {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      other.reset();
    });
    RunnerEvents events;
    int asked = 0;
    events.wait = [&](std::size_t left) {
      CHECK(left == 0);
      return ++asked < 2;
    };
    CHECK(run_experiment(experiment, directory.path(), events) == ExperimentEnd::stopped);
    CHECK(asked == 2);
    CHECK(ran.size() == 1);
    gives_up_at_last.join();
    CHECK(run_experiment(experiment, directory.path()) == ExperimentEnd::finished);
    CHECK(ran.size() == 6);
    CHECK(finished_trials(experiment, directory.path()).size() == 6);
  }
}
