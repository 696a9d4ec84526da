// attention experiment: the paper's tables, measured again in small.
#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/train_options.h"
#include "experiments/chart.h"
#include "experiments/ladder.h"
#include "experiments/runner.h"
#include "experiments/table3.h"
#include "storage/atomic_file.h"
#include "terminal/console.h"
#include "terminal/countdown.h"
#include "terminal/interrupt.h"

namespace attn::app {

namespace {

// What is left is being run by other processes.
constexpr int kOthersRun = -1;
constexpr const char* kNames = "ladder or table3";

std::string directory_of(const Arguments& arguments) {
  return arguments.value_or("out", "runs/experiment-" + arguments.operands()[0]);
}

// "table3 --quick": with and without --quick, an experiment is not the same one.
std::string name_of(const Arguments& arguments) {
  return arguments.operands()[0] + (arguments.has("quick") ? " --quick" : "");
}

// Runs the trials that are left, in a directory, and then says and draws what came of all.
int run_trials(const Arguments& arguments, const TrainedVariants& all, const std::string& title,
               const std::string& directory) {
  const bool quiet = arguments.has("quiet");
  const Interruptible interruptible;
  Countdown countdown(!quiet);
  std::string doing;
  double finished = 0, trials = 1, steps = 1;
  TrialEvents trial;
  trial.stop = [&] { return interruptible.signal() != 0; };
  trial.step = [&](const StepReport& report) {
    countdown.show(doing, (finished + static_cast<double>(report.step) / steps) / trials);
  };
  const Experiment experiment = experiment_of(all, trial);
  RunnerEvents events;
  events.begin = [&](const Trial& begun, std::size_t before, std::size_t of) {
    doing =
        text(title, ": ", begun.variant, ", seed ", begun.seed, ", trial ", before + 1, " of ", of);
    finished = static_cast<double>(before);
    trials = static_cast<double>(of);
    for (const auto& [name, variant] : all.variants) {
      if (name == begun.variant) steps = static_cast<double>(variant.training.steps);
    }
  };
  events.end = [&](const TrialResult& result) {
    countdown.clear();
    if (quiet) return;
    std::string line = text(result.trial.variant, ", seed ", result.trial.seed, ':');
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      line += text("  ", experiment.measures[i], ' ', shortest(result.values[i]));
    }
    say(line);
  };
  const ExperimentEnd end = run_experiment(experiment, directory, events);
  countdown.clear();
  const std::string again =
      text(shell_word(arguments.program()), " experiment ", name_of(arguments), " --out ",
           shell_word(directory_of(arguments)));
  if (end == ExperimentEnd::stopped) {
    say(text("stopped and saved. To continue:\n  ", again));
    return 128 + interruptible.signal();
  }
  if (end == ExperimentEnd::others_run) {
    say(text("other processes are at work on what is left. To see the results then:\n  ", again));
    return kOthersRun;
  }
  const std::vector<TrialResult> results = finished_trials(experiment, directory);
  for (const char* measure : {"test", "longer", "perplexity"}) {
    put(text(title, '\n', comparison_text(experiment, results, measure), '\n'));
    write_file(directory + "/" + measure + ".svg",
               comparison_chart(experiment, results, title, measure));
  }
  if (!quiet) {
    say(text("results.tsv and a picture of each of these are in ", directory));
  }
  return 0;
}

// The learning rates come from the sweep.
int run_ladder(const Arguments& arguments) {
  const bool quick = arguments.has("quick");
  for (const char* task : {"reverse", "phrasebook"}) {
    const std::string directory = directory_of(arguments) + '/' + task;
    const TrainedVariants sweep = ladder_sweep(task, quick);
    int status = run_trials(arguments, sweep, text("sweep, ", task), directory + "/sweep");
    if (status == 0) {
      const Settings scales =
          best_scales(finished_trials(experiment_of(sweep), directory + "/sweep"));
      status =
          run_trials(arguments, ladder(task, scales, quick), text("ladder, ", task), directory);
    }
    if (status != 0) return status == kOthersRun ? 0 : status;
  }
  return 0;
}

int run_table3(const Arguments& arguments) {
  const int status = run_trials(arguments, small_table3(arguments.has("quick")), "table3",
                                directory_of(arguments));
  return status == kOthersRun ? 0 : status;
}

int run_experiment_command(const Arguments& arguments) {
  if (arguments.operands().empty()) fail_usage("which experiment? ", kNames);
  arguments.check_one_operand();
  use_threads(arguments);
  const std::string& name = arguments.operands()[0];
  if (name != "ladder" && name != "table3") {
    fail_usage("there is no experiment '", name, "', only ", kNames,
               suggestion(name, {"ladder", "table3"}));
  }
  claim_directory(directory_of(arguments), name_of(arguments));
  return name == "ladder" ? run_ladder(arguments) : run_table3(arguments);
}

}  // namespace

Command experiment_command() {
  Command command;
  command.name = "experiment";
  command.summary = "measure the paper's tables again, in small";
  command.usage = {"experiment ladder|table3 [--quick] [options]"};
  command.description =
      "Trains every variant of an experiment with the same six seeds, one trial after the other, "
      "and compares them with the first. This takes hours. Ctrl-C stops and saves, and the same "
      "command goes on. Started twice, the two share the work: give each --threads 1.\n\n"
      "ladder: encoder-decoders from the LSTM to the Transformer on reverse and phrasebook, with "
      "about as many weights and the same tokens, each with the best learning rate of a small "
      "sweep that is run first.\n\n"
      "table3: the paper's Table 3 (6.2), which varies one thing of the model at a time, scaled to "
      "the phrasebook.\n\n"
      "For each variant it prints the mean of its seeds and the interval in which the mean would "
      "lie in 95 of 100 repetitions (bootstrap), the difference to the first variant, seed by "
      "seed, and p: how often chance alone gives a difference as large (paired sign-flip test, "
      "corrected by Holm's method for the number of variants).";
  command.examples = {
      "attention experiment table3 --quick --out /tmp/table3",
      "attention experiment table3",
  };
  command.groups = {
      {"Options",
       {{"out", "DIR", "where the trials and results are kept", "runs/experiment-NAME"},
        {"quick", "", "a few steps of a few variants: to see what it does"},
        {"threads", "N", "processors to use; the result is the same for any number", "all"},
        {"quiet", "", "no progress"}}}};
  command.operands = "ladder|table3";
  command.run = run_experiment_command;
  return command;
}

}  // namespace attn::app
