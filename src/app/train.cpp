// attention train: a new run or a resumed one, and its progress.
#include "app/train.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <exception>
#include <limits>

#include "app/drawing/training_log.h"
#include "app/terminal/console.h"
#include "app/terminal/progress.h"

namespace attn::app {

constexpr Index kMostMinutes = 1000000;

bool has_exploded(double loss, double guessing, double best) {
  // Perplexity is e to the loss, so ten times as much of it is ln 10 more.
  return loss > 2 * guessing + 5 || loss > best + std::log(10);
}

// Warns once, with what to try, if the mean loss of a line of the log has exploded.
class LossWarning {
 public:
  explicit LossWarning(Index vocabulary) : guessing_(std::log(to_double(vocabulary))) {}

  void look(double loss, Index step, Progress& progress) {
    best_ = std::min(best_, loss);
    if (given_ || !has_exploded(loss, guessing_, best_)) return;
    given_ = true;
    progress.clear();
    const bool rose = loss > best_ + std::log(10);
    warn("the loss is ", fixed(loss, 2), " at step ", step,
         rose ? text(" and was ", fixed(best_, 2), " at best")
              : text("; guessing gives ", fixed(guessing_, 2)),
         ". If it stays high, training has diverged: begin again with ",
         "a lower --learning-rate-scale, a longer --warmup or --clip 1");
  }

 private:
  double guessing_, best_ = std::numeric_limits<double>::infinity();
  bool given_ = false;
};

static TrainingEnd train_run(Run& run, Progress& progress, double minutes) {
  const TrainingSettings& settings = run.trainer.settings;
  LossWarning warning(run.tokenizer.size());
  TrainingLog log(run.directory + "/log.tsv", run.trainer.step);
  const Index log_every = std::max<Index>(1, settings.validate_every / 10);
  const auto write_line = [&](const Validation* validation) {
    check_place(run);
    const std::optional<double> loss = log.write_line(validation);
    if (loss) warning.look(*loss, run.trainer.step, progress);
  };
  const auto reach_milestone = [&](const Validation* validation) {
    write_line(validation);
    progress.milestone(run.trainer.step, validation);
  };

  TrainingEvents events;
  events.step = [&](const StepReport& report) {
    log.add(report);
    progress.step(report);
    const Index step = report.step;
    if (step % settings.validate_every != 0 && step != settings.steps) {
      if (step % log_every == 0) write_line(nullptr);
    } else if (run.data.validation.batches.empty()) {
      reach_milestone(nullptr);  // otherwise the validation follows, and is one
    }
  };
  events.validation = [&](const Validation& found) { reach_milestone(&found); };
  Index saved = run.trainer.step;
  bool draws = true;
  events.save = [&](bool checkpoint) {
    write_line(nullptr);  // if it is between two
    save_run(run, checkpoint);
    saved = run.trainer.step;
    if (!draws) return;
    try {
      draw_curves(run.directory);
    } catch (const std::exception& error) {  // no reason to end a training
      draws = false;
      progress.clear();
      warn(error.what(), "; training goes on without the picture");
    }
  };
  events.between_batches = [&] {
    if (caught_signal() == 0) return;
    progress.clear();
    if (caught_signal() == SIGINT) say("stopping and saving; Ctrl-C again stops at once");
    throw Interrupted();
  };
  if (minutes > 0) events.seconds = 60 * minutes;
  try {
    return train(*run.model, run.trainer, run.data.batches, run.data.validation, events);
  } catch (const Diverged& error) {
    throw Diverged(
        text(error.what(), "; ", run.directory, " keeps the run as it was at step ", saved));
  } catch (const std::exception&) {  // the log cannot be written, or memory is short
    if (run.trainer.step > saved) save_run(run, false);
    throw;
  }
}

int run_train(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  arguments.positive_or("minutes", 0, kMostMinutes);
  const bool resumed = arguments.has("resume");
  Run run = resumed ? resumed_run(arguments) : new_run(arguments);
  // A text has no end of its own, and all its steps may take days. 0: no limit.
  const Subject& subject = find_subject(arguments.program, run.trainer.settings.task);
  const double usual = arguments.has("steps") ? 0 : subject.minutes;
  const double minutes = arguments.positive_or("minutes", usual, kMostMinutes);
  if (resumed) repair_run(run);  // not before all is known to fit
  if (!quiet) announce(run, subject, minutes);

  const Index first_step = run.trainer.step;
  using Style = Progress::Style;
  const Style style = quiet ? Style::silent : can_redraw() ? Style::bar : Style::lines;
  Progress progress(style, run.trainer.settings, first_step, minutes);
  catch_signals();
  const TrainingEnd end = train_run(run, progress, minutes);
  if (caught_signal() == 0) leave_signals();
  progress.clear();
  if (!quiet) say_end(arguments, run, end, run.trainer.step - first_step, progress.seconds());
  if (caught_signal() != 0) return 128 + caught_signal();
  if (!quiet) report_result(arguments, run, subject);
  return 0;
}

}  // namespace attn::app
