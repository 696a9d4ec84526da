// attention experiment: the paper's tables, measured again in small.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/countdown.h"
#include "app/terminal/interrupt.h"
#include "app/train_options.h"
#include "lab/experiments/comparison.h"
#include "lab/experiments/plans.h"
#include "lab/experiments/scores.h"
#include "lab/experiments/table1.h"
#include "storage/atomic_file.h"

namespace attn::app {

namespace {

constexpr const char* kNames = "table1, scores, ladder, table3 or bracketing";

std::string directory_of(const Arguments& arguments) {
  return arguments.value_or("out", "runs/experiment-" + arguments.operands()[0]);
}

// "table3 --quick": with and without --quick, an experiment is not the same one.
std::string name_of(const Arguments& arguments) {
  return arguments.operands()[0] + (arguments.has("quick") ? " --quick" : "");
}

// Runs the trials that are left, in a directory. 0: there are results of all.
int finish(const Arguments& arguments, const Experiment& experiment, const std::string& directory,
           const Interruptible& interruptible, Countdown& countdown, RunnerEvents events) {
  const bool quiet = arguments.has("quiet");
  events.end = [&](const TrialResult& result) {
    countdown.clear();
    if (quiet) return;
    std::string line = text(result.trial.variant, ", seed ", result.trial.seed, ':');
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      line += text("  ", experiment.measures[i], ' ', measured_text(result.values[i]));
    }
    say(line);
  };
  bool told = false;
  events.wait = [&](std::size_t left) {
    if (!told && !quiet) {
      countdown.clear();
      say(left == 0 ? "waiting for another process, which is writing results.tsv"
                    : text("waiting for other processes, which are running the last ", left,
                           left == 1 ? " trial" : " trials"));
    }
    told = true;
    return interruptible.signal() == 0;
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
  return 0;
}

void say_place(const Arguments& arguments, const std::string& directory) {
  flush_output();  // where both go into one file, this line is the last
  if (!arguments.has("quiet")) say(text("results.tsv and the pictures are in ", directory));
}

// The same of trials that train, and then says and draws what came of all.
int run_trials(const Arguments& arguments, const TrainedVariants& all, const std::string& title,
               const std::string& directory,
               const std::vector<std::string>& measures = {"test", "longer", "perplexity"},
               Experiment (*make)(const TrainedVariants&, const TrialEvents&) = experiment_of) {
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
  const Experiment experiment = make(all, trial);
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
  const int status = finish(arguments, experiment, directory, interruptible, countdown, events);
  if (status != 0) return status;
  const std::vector<TrialResult> results = finished_trials(experiment, directory);
  for (const std::string& measure : measures) {
    put(text(title, '\n', comparison_text(experiment, results, measure), '\n'));
    write_file(directory + "/" + measure + ".svg",
               comparison_chart(experiment, results, title, measure));
  }
  say_place(arguments, directory);
  return 0;
}

// Trials that are too short to be continued: Ctrl-C stops after one. Nothing if it did; `status`
// says so.
std::vector<TrialResult> short_trials(const Arguments& arguments, Experiment experiment,
                                      const std::string& directory, int& status) {
  if (status != 0) return {};
  const Interruptible interruptible;
  Countdown countdown(!arguments.has("quiet"));
  RunnerEvents events;
  events.begin = [&](const Trial& begun, std::size_t before, std::size_t of) {
    countdown.show(arguments.operands()[0] + ": " + begun.variant,
                   static_cast<double>(before) / static_cast<double>(of));
  };
  const auto run = experiment.run;
  experiment.run = [&](const Trial& trial, const std::string& at) {
    return interruptible.signal() != 0 ? std::nullopt : run(trial, at);
  };
  status = finish(arguments, experiment, directory, interruptible, countdown, events);
  if (status != 0) return {};
  return finished_trials(experiment, directory);
}

int run_table1(const Arguments& arguments) {
  const std::string directory = directory_of(arguments);
  const Table1Grid grid = table1_grid(arguments.has("quick"));
  int status = 0;
  const auto results = [&](const Experiment& experiment, const char* place) {
    return short_trials(arguments, experiment, directory + place, status);
  };
  const std::vector<TrialResult> work = results(table1_work(grid, true), "");
  const std::vector<TrialResult> depth = results(table1_depth(grid), "/depth");
  const std::vector<TrialResult> crossings = results(table1_crossings(grid), "/crossings");
  if (status != 0) return status;

  for (const std::string& text :
       {table1_work_text(grid, work), table1_time_text(grid, work), table1_depth_text(grid, depth),
        table1_crossings_text(crossings)}) {
    put(text + '\n');
  }
  const auto draw = [&](const std::string& name, const Svg& picture) {
    write_file(directory + '/' + name + ".svg", document(picture));
  };
  draw("multiply_adds", table1_work_chart(grid, work, "multiply_adds", "Multiply-adds of a layer"));
  draw("kept", table1_work_chart(grid, work, "kept", "Bytes kept for the backward pass"));
  draw("seconds", table1_work_chart(grid, work, "seconds", "Seconds of a layer forward"));
  draw("steps", table1_depth_chart(grid, depth, "steps", "Products that need each other"));
  draw("path", table1_depth_chart(grid, depth, "path", "Maximum path length"));
  say_place(arguments, directory);
  return 0;
}

int run_scores(const Arguments& arguments) {
  const std::string directory = directory_of(arguments);
  const Experiment experiment = compared_scores(arguments.has("quick"));
  int status = 0;
  const std::vector<TrialResult> results = short_trials(arguments, experiment, directory, status);
  if (status != 0) return status;
  put(scores_text(experiment, results));
  for (const char* measure : {"early", "accuracy", "entropy_start"}) {
    write_file(directory + "/" + measure + ".svg",
               comparison_chart(experiment, results, "scores", measure));
  }
  say_place(arguments, directory);
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
    if (status != 0) return status;
  }
  return 0;
}

int run_table3(const Arguments& arguments) {
  return run_trials(arguments, small_table3(arguments.has("quick")), "table3",
                    directory_of(arguments));
}

int run_bracketing(const Arguments& arguments) {
  return run_trials(arguments, small_parsing(arguments.has("quick")), "bracketing",
                    directory_of(arguments),
                    {"test", "f1", "well_formed", "longer", "longer_f1", "longer_well_formed"},
                    parsing_experiment);
}

int run_experiment_command(const Arguments& arguments) {
  if (arguments.operands().empty()) fail_usage("which experiment? ", kNames);
  arguments.check_one_operand();
  use_threads(arguments);
  const std::string& name = arguments.operands()[0];
  const std::map<std::string, int (*)(const Arguments&)> all{{"table1", run_table1},
                                                             {"scores", run_scores},
                                                             {"ladder", run_ladder},
                                                             {"table3", run_table3},
                                                             {"bracketing", run_bracketing}};
  const auto found = all.find(name);
  if (found == all.end()) {
    fail_usage("there is no experiment '", name, "', only ", kNames,
               suggestion(name, {"table1", "scores", "ladder", "table3", "bracketing"}));
  }
  claim_directory(directory_of(arguments), name_of(arguments));
  return found->second(arguments);
}

}  // namespace

Command experiment_command() {
  Command command;
  command.name = "experiment";
  command.summary = "measure the paper's tables again, in small";
  command.usage = {"experiment table1|scores|ladder|table3|bracketing [--quick] [options]"};
  command.description =
      "Runs what an experiment consists of, one trial after the other, and says and draws what "
      "came of it. Ctrl-C stops and saves, and the same command goes on.\n\n"
      "table1: the paper's Table 1 (4): a layer of each kind is run at many lengths and widths, "
      "and its multiply-adds and exponentials are counted, its memory, its longest chain of "
      "dependent products, the length of its paths, and its time. This takes a minute or two.\n\n"
      "scores: additive attention, dot product, and dot product over the root of d_k (3.2.1), "
      "each in a model of one head that learns copy and reverse, for d_k from 4 to 512.\n\n"
      "The others train every variant with the same six seeds, which takes hours, and compare "
      "them with the first. Started twice, the two share the work: give each --threads 1.\n\n"
      "ladder: encoder-decoders from the LSTM to the Transformer on reverse and phrasebook, "
      "with about as many weights and the same tokens, each with the best learning rate of a "
      "small sweep that is run first.\n\n"
      "table3: the paper's Table 3 (6.2), which varies one thing of the model at a time, scaled "
      "to the phrasebook.\n\n"
      "bracketing: constituency parsing (6.3) of a toy grammar, by a Transformer and by an LSTM "
      "with attention, on trees as deep as in training and on deeper ones.\n\n"
      "For each variant these print the mean of its n seeds, the difference from the first "
      "variant over the seeds that all variants have finished, 95 % intervals of both (bootstrap; "
      "with six seeds they are too narrow and contain the truth about 86 times in 100), and p: how "
      "often chance alone gives a difference as large (paired sign-flip test). With so many "
      "variants one will look different by chance; \"p of all\" is how often chance gives any of "
      "them a difference as large as this. A variant of which a trial diverged comes last, without "
      "a mean.";
  command.examples = {
      "attention experiment table1",
      "attention experiment table3 --quick --out /tmp/table3",
      "attention experiment table3",
  };
  command.groups = {
      {"Options",
       {{"out", "DIR", "where the trials and results are kept", "runs/experiment-NAME"},
        {"quick", "", "a few steps of a few variants: to see what it does"},
        {"threads", "N", "processors to use; the result is the same for any number", "all"},
        {"quiet", "", "no progress"}}}};
  command.operands = "table1|scores|ladder|table3|bracketing";
  command.run = run_experiment_command;
  return command;
}

}  // namespace attn::app
