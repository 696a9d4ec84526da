// attention experiment: the paper's tables, measured again on a small scale.
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/drawing/svg.h"
#include "app/terminal/console.h"
#include "app/terminal/interrupt.h"
#include "app/terminal/status_line.h"
#include "lab/experiments/comparison.h"
#include "lab/experiments/plans.h"
#include "lab/experiments/scores.h"
#include "lab/experiments/table1.h"
#include "storage/atomic_file.h"

namespace attn::app {

namespace {

// A signal stopped the experiment. What it has found is saved.
struct Stopped {};

// What was asked for, and how far it is.
struct Session {
  Session(const Arguments& given, const std::vector<std::string>& all_tasks)
      : arguments(given),
        tasks(given.has("task") ? std::vector{given.choice("task", all_tasks)} : all_tasks) {}

  const Arguments& arguments;
  const std::string subject = arguments.subject();
  const bool quick = arguments.has("quick"), quiet = arguments.has("quiet");
  // "table3 --quick": with and without --quick, an experiment is not the same one.
  const std::string name = subject + (quick ? " --quick" : "");
  const std::string directory = arguments.value_or("out", "runs/experiment-" + subject);
  const std::vector<std::string> tasks;  // those that were asked for
  const Interruptible interruptible = {};
  Countdown countdown{!quiet};
  std::string doing;                // the trial
  double finished = 0, trials = 1;  // how many before it, and in all

  bool stopped() const { return interruptible.signal() != 0; }
  // part: how much of the trial is done.
  void show(double part) { countdown.show(doing, (finished + part) / trials); }
};

// Runs the trials that are left, in a directory, and returns the results of all.
std::vector<TrialResult> finish(Session& session, Experiment experiment, const std::string& title,
                                const std::string& directory) {
  // Trials that are too short to be continued are stopped after one.
  experiment.run = [&, run = experiment.run](const Trial& trial, const std::string& place) {
    return session.stopped() ? std::nullopt : run(trial, place);
  };
  session.countdown.restart();
  RunnerEvents events;
  events.begin = [&](const Trial& trial, std::size_t before, std::size_t of) {
    session.doing =
        text(title, ": ", trial.variant, ", seed ", trial.seed, ", trial ", before + 1, " of ", of);
    session.finished = static_cast<double>(before);
    session.trials = static_cast<double>(of);
    session.show(0);
  };
  events.end = [&](const TrialResult& result) {
    session.countdown.clear();
    if (session.quiet) return;
    std::string line = text(result.trial.variant, ", seed ", result.trial.seed, ':');
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      const double value = result.values[i];
      line += text("  ", experiment.measures[i], ' ',
                   std::isfinite(value) ? short_number(value, 4) : measured_text(value));
    }
    say(line);
  };
  std::set<bool> told;  // that it waits for results.tsv; that it waits for trials
  events.wait = [&](std::size_t left) {
    if (!session.quiet && told.insert(left == 0).second) {
      session.countdown.clear();
      say(left == 0 ? "waiting for another process, which is writing results.tsv"
                    : text("waiting for other processes, which are running the last ", left,
                           left == 1 ? " trial" : " trials"));
    }
    return !session.stopped();
  };
  const ExperimentEnd end = attn::run_experiment(experiment, directory, events);
  session.countdown.clear();
  if (end == ExperimentEnd::stopped) {
    const std::string task = session.arguments.value_or("task", "");
    say(text("stopped and saved. To continue:\n  ", shell_word(session.arguments.program()),
             " experiment ", session.name, task.empty() ? "" : " --task " + task, " --out ",
             shell_word(session.directory)));
    throw Stopped();
  }
  return finished_trials(experiment, directory);
}

void draw(const std::string& directory, const std::string& name, const std::string& picture) {
  write_file(directory + '/' + name + ".svg", picture);
}

void say_place(const Session& session, const std::string& directory) {
  flush_output();  // where both go into one file, this line is the last
  if (!session.quiet) say(text("results.tsv and the pictures are in ", directory));
}

// Trains every variant with every seed, then prints and draws how they compare.
std::vector<TrialResult> run_trials(Session& session, const TrainedVariants& all,
                                    const std::string& title, const std::string& directory) {
  // Variants are compared after as many steps.
  const double steps = to_double(all.variants.front().second.training.steps);
  const auto show = [&](const StepReport& report) { session.show(to_double(report.step) / steps); };
  const Experiment experiment = experiment_of(all, {show, [&] { return session.stopped(); }});
  const std::vector<TrialResult> results = finish(session, experiment, title, directory);
  for (const std::string& measure : all.shown) {
    put(text(title, '\n', comparison_text(experiment, results, measure), '\n'));
    draw(directory, measure, comparison_chart(experiment, results, title, measure));
  }
  say_place(session, directory);
  return results;
}

void run_table1(Session& session) {
  const std::string& directory = session.directory;
  const Table1Grid grid = table1_grid(session.quick);
  const auto results = [&](const Experiment& experiment, const char* place) {
    return finish(session, experiment, session.subject, directory + place);
  };
  const std::vector<TrialResult> work = results(table1_work(grid, true), "");
  const std::vector<TrialResult> depth = results(table1_depth(grid), "/depth");
  const std::vector<TrialResult> crossings = results(table1_crossings(grid), "/crossings");
  for (const std::string& text :
       {table1_work_text(grid, work), table1_time_text(grid, work), table1_depth_text(grid, depth),
        table1_crossings_text(crossings)}) {
    put(text + '\n');
  }
  const auto draw_chart = [&](const std::string& name, const Svg& picture) {
    draw(directory, name, document(picture));
  };
  draw_chart("multiply_adds",
             table1_work_chart(grid, work, "multiply_adds", "Multiply-adds of a layer"));
  draw_chart("kept", table1_work_chart(grid, work, "kept", "Bytes kept for the backward pass"));
  draw_chart("seconds", table1_work_chart(grid, work, "seconds", "Seconds of a layer forward"));
  draw_chart("steps", table1_depth_chart(grid, depth, "steps", "Products that need each other"));
  draw_chart("path", table1_depth_chart(grid, depth, "path", "Maximum path length"));
  say_place(session, directory);
}

void run_scores(Session& session) {
  const std::string& directory = session.directory;
  const Experiment experiment = compared_scores(session.quick);
  const std::vector<TrialResult> results = finish(session, experiment, "scores", directory);
  put(scores_text(experiment, results));
  for (const char* measure : {"early", "accuracy", "entropy_start"}) {
    draw(directory, measure, comparison_chart(experiment, results, "scores", measure));
  }
  say_place(session, directory);
}

// First a sweep for the learning rates, then all variants, each at its best one.
void run_swept(Session& session, TrainedVariants (*plan_of)(const std::string&, bool),
               std::uint64_t seed) {
  for (const std::string& task : session.tasks) {
    const std::string directory = session.directory + '/' + task;
    const TrainedVariants plan = plan_of(task, session.quick);
    const Settings scales = best_scales(run_trials(session, swept(plan, seed, session.quick),
                                                   "sweep, " + task, directory + "/sweep"));
    run_trials(session, at_scales(plan, scales), session.subject + ", " + task, directory);
  }
}

// What is run, and of which tasks --task chooses one.
struct Subject {
  void (*run)(Session&);
  std::vector<std::string> tasks = {};
};

const std::map<std::string, Subject> kSubjects{
    {"table1", {run_table1}},
    {"scores", {run_scores}},
    {"ladder", {[](Session& s) { run_swept(s, ladder, 11); }, {"reverse", "phrasebook"}}},
    {"decoder",
     {[](Session& s) { run_swept(s, one_stack, 13); }, {"copy", "reverse", "phrasebook"}}},
    {"table3", {[](Session& s) { run_trials(s, small_table3(s.quick), "table3", s.directory); }}},
    {"bracketing",
     {[](Session& s) { run_trials(s, small_parsing(s.quick), "bracketing", s.directory); }}}};

}  // namespace

int run_experiment(const Arguments& arguments) {
  const Subject& subject = kSubjects.at(arguments.subject());
  Session session(arguments, subject.tasks);
  claim_directory(session.directory, session.name);
  try {
    subject.run(session);
    return 0;
  } catch (const Stopped&) {
    return 128 + session.interruptible.signal();
  }
}

}  // namespace attn::app
