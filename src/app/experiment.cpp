// attention experiment: the paper's tables, measured again on a small scale.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/interrupt.h"
#include "app/terminal/status_line.h"
#include "lab/experiments/comparison.h"
#include "lab/experiments/plans.h"
#include "lab/experiments/positions_plan.h"
#include "lab/experiments/scores.h"
#include "lab/experiments/table1.h"
#include "lab/figures/svg.h"
#include "storage/atomic_file.h"

namespace attn::app {

namespace {

std::string directory_of(const Arguments& arguments) {
  return arguments.value_or("out", "runs/experiment-" + arguments.subject());
}

// "table3 --quick": with and without --quick, an experiment is not the same one.
std::string name_of(const Arguments& arguments) {
  return arguments.subject() + (arguments.has("quick") ? " --quick" : "");
}

const std::vector<std::string> kMeasures{"test", "longer", "perplexity"};  // that are printed

// A signal stopped the experiment. What it has found is saved.
struct Stopped {
  int status;
};

// Runs the trials that are left, in a directory, and returns the results of all.
std::vector<TrialResult> finish(const Arguments& arguments, const Experiment& experiment,
                                const std::string& directory, const Interruptible& interruptible,
                                Countdown& countdown, RunnerEvents events) {
  const bool quiet = arguments.has("quiet");
  events.end = [&](const TrialResult& result) {
    countdown.clear();
    if (quiet) return;
    std::string line = text(result.trial.variant, ", seed ", result.trial.seed, ':');
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      const double value = result.values[i];
      line += text("  ", experiment.measures[i], ' ',
                   std::isfinite(value) ? short_number(value, 4) : measured_text(value));
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
  const ExperimentEnd end = attn::run_experiment(experiment, directory, events);
  countdown.clear();
  if (end == ExperimentEnd::stopped) {
    say(text("stopped and saved. To continue:\n  ", shell_word(arguments.program()), " experiment ",
             name_of(arguments), " --out ", shell_word(directory_of(arguments))));
    throw Stopped{128 + interruptible.signal()};
  }
  return finished_trials(experiment, directory);
}

void say_place(const Arguments& arguments, const std::string& directory) {
  flush_output();  // where both go into one file, this line is the last
  if (!arguments.has("quiet")) say(text("results.tsv and the pictures are in ", directory));
}

// Trains every variant with every seed, then prints and draws how they compare.
std::vector<TrialResult> run_trials(const Arguments& arguments, const TrainedVariants& all,
                                    const std::string& title, const std::string& directory,
                                    const std::vector<std::string>& measures = kMeasures,
                                    Experiment (*make)(const TrainedVariants&,
                                                       const TrialEvents&) = experiment_of) {
  const Interruptible interruptible;
  Countdown countdown(!arguments.has("quiet"));
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
  const std::vector<TrialResult> results =
      finish(arguments, experiment, directory, interruptible, countdown, events);
  for (const std::string& measure : measures) {
    put(text(title, '\n', comparison_text(experiment, results, measure), '\n'));
    write_file(directory + "/" + measure + ".svg",
               comparison_chart(experiment, results, title, measure));
  }
  say_place(arguments, directory);
  return results;
}

// Trials that are too short to be continued: Ctrl-C stops after one.
std::vector<TrialResult> short_trials(const Arguments& arguments, Experiment experiment,
                                      const std::string& directory) {
  const Interruptible interruptible;
  Countdown countdown(!arguments.has("quiet"));
  RunnerEvents events;
  events.begin = [&](const Trial& begun, std::size_t before, std::size_t of) {
    countdown.show(arguments.subject() + ": " + begun.variant,
                   static_cast<double>(before) / static_cast<double>(of));
  };
  const auto run = experiment.run;
  experiment.run = [&](const Trial& trial, const std::string& at) {
    return interruptible.signal() != 0 ? std::nullopt : run(trial, at);
  };
  return finish(arguments, experiment, directory, interruptible, countdown, events);
}

void run_table1(const Arguments& arguments) {
  const std::string directory = directory_of(arguments);
  const Table1Grid grid = table1_grid(arguments.has("quick"));
  const auto results = [&](const Experiment& experiment, const char* place) {
    return short_trials(arguments, experiment, directory + place);
  };
  const std::vector<TrialResult> work = results(table1_work(grid, true), "");
  const std::vector<TrialResult> depth = results(table1_depth(grid), "/depth");
  const std::vector<TrialResult> crossings = results(table1_crossings(grid), "/crossings");
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
}

void run_scores(const Arguments& arguments) {
  const std::string directory = directory_of(arguments);
  const Experiment experiment = compared_scores(arguments.has("quick"));
  const std::vector<TrialResult> results = short_trials(arguments, experiment, directory);
  put(scores_text(experiment, results));
  for (const char* measure : {"early", "accuracy", "entropy_start"}) {
    write_file(directory + "/" + measure + ".svg",
               comparison_chart(experiment, results, "scores", measure));
  }
  say_place(arguments, directory);
}

// First a sweep for the learning rates, then all variants, each at its best one.
void run_swept(const Arguments& arguments, TrainedVariants (*sweep)(const std::string&, bool),
               TrainedVariants (*plan)(const std::string&, const Settings&, bool),
               const std::vector<std::string>& tasks, const std::vector<std::string>& measures) {
  const bool quick = arguments.has("quick");
  for (const std::string& task : tasks) {
    const std::string directory = directory_of(arguments) + '/' + task;
    const Settings scales = best_scales(run_trials(
        arguments, sweep(task, quick), text("sweep, ", task), directory + "/sweep", measures));
    run_trials(arguments, plan(task, scales, quick), text(arguments.subject(), ", ", task),
               directory, measures);
  }
}

void run_ladder(const Arguments& arguments) {
  run_swept(arguments, ladder_sweep, ladder, {"reverse", "phrasebook"}, kMeasures);
}

// Perplexities with the loss on all are of other tokens.
void run_decoder(const Arguments& arguments) {
  run_swept(arguments, one_stack_sweep, one_stack, {"copy", "reverse", "phrasebook"},
            {"test", "longer"});
}

void run_table3(const Arguments& arguments) {
  run_trials(arguments, small_table3(arguments.has("quick")), "table3", directory_of(arguments));
}

void run_bracketing(const Arguments& arguments) {
  run_trials(arguments, small_parsing(arguments.has("quick")), "bracketing",
             directory_of(arguments),
             {"test", "f1", "well_formed", "longer", "longer_f1", "longer_well_formed"},
             parsing_experiment);
}

void run_positions(const Arguments& arguments) {
  for (const char* task : {"copy", "reverse"}) {
    run_trials(arguments, positions_that_last(task, arguments.has("quick")),
               text("positions, ", task), directory_of(arguments) + '/' + task,
               {"test", "longer", "to_50", "to_100", "steps"}, positions_experiment);
  }
}

void run_windows(const Arguments& arguments) {
  for (const char* task : {"copy", "reverse", "phrasebook"}) {
    for (const Index layers : {2, 4}) {
      const std::string name = text(task, '-', layers, "-layers");
      run_trials(arguments, windows(task, layers, arguments.has("quick")), "windows, " + name,
                 directory_of(arguments) + '/' + name, {"test", "longer", "steps"}, counting_steps);
    }
  }
}

}  // namespace

int run_experiment(const Arguments& arguments) {
  const std::map<std::string, void (*)(const Arguments&)> all{
      {"table1", run_table1},       {"scores", run_scores},  {"ladder", run_ladder},
      {"decoder", run_decoder},     {"table3", run_table3},  {"bracketing", run_bracketing},
      {"positions", run_positions}, {"windows", run_windows}};
  const auto run = all.at(arguments.subject());
  use_threads(arguments);
  claim_directory(directory_of(arguments), name_of(arguments));
  try {
    run(arguments);
    return 0;
  } catch (const Stopped& stopped) {
    return stopped.status;
  }
}

}  // namespace attn::app
