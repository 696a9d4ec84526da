// attention train: a new run or a resumed one, its progress, and what it has learned.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/interrupt.h"
#include "app/terminal/progress.h"
#include "app/train_options.h"
#include "app/train_run.h"
#include "base/platform.h"
#include "lab/figures/curves.h"
#include "lab/trace/rank_collapse.h"
#include "training/run_directory.h"
#include "training/summary.h"
#include "training/task_report.h"
#include "training/training_log.h"

namespace attn::app {

namespace {

// A line such as "data   …"; on a terminal it is broken between words.
void say_field(const std::string& name, const std::string& description) {
  constexpr std::size_t kIndent = 7;
  const int columns = platform::is_terminal() ? platform::terminal_columns() : 1 << 20;
  say(padded(name, kIndent) +
      wrapped(description, kIndent, kIndent, static_cast<std::size_t>(std::max(columns, 20))));
}

// What is going to happen.
void announce(Run& run, double minutes) {
  say_field("data", run.data.description);
  say_field("model", model_summary(*run.model));
  say_field("steps", steps_summary(run.trainer, !run.data.validation.batches.empty(), minutes));
  say_field("loss", loss_summary(*run.model));
  say_field("run", run.directory + " (Ctrl-C stops and saves)");
}

TrainingEnd train_run(Run& run, Progress& progress, const Interruptible& interruptible,
                      double minutes) {
  const TrainingSettings& settings = run.trainer.settings;
  TrainingLog log(run.directory + "/log.tsv");
  const Index log_every = std::max<Index>(1, settings.validate_every / 10);
  ExplosionWatch watch{std::log(run.data.tokenizer.size())};
  const auto write_line = [&](const Validation* validation) {
    const std::optional<double> loss = log.write_line(validation);
    if (!loss || !watch.sees_explosion(*loss)) return;
    progress.clear();
    const bool above = *loss > 2 * watch.guessing;
    say(text("attention: warning: the loss is ", fixed(*loss, 2), " at step ", run.trainer.step,
             above ? "; guessing gives " : " and was ",
             fixed(above ? watch.guessing : watch.best, 2), above ? "" : " at best",
             ". If it stays high, training has diverged: begin again with ",
             "a lower --learning-rate-scale, a longer --warmup or --clip 1"));
  };

  // Without validation data, the first batch of training shows a collapse as well.
  const std::vector<Batch>& validation = run.data.validation.batches;
  const Batch sample = validation.empty() ? run.data.batches(0) : validation.front();
  CollapseWatch collapse;
  const auto watch_encoder = [&] {
    const std::vector<double> variations = encoder_variations(*run.model, sample);
    if (variations.empty() || !collapse.sees_collapse(variations.back())) return;
    progress.clear();
    say(text("attention: warning: the encoder's output has collapsed at step ", run.trainer.step,
             ": the tokens of a sentence differ in only ", fixed(100 * variations.back(), 2),
             " % of its squares, so the decoder can hardly tell one word from another. Unless ",
             "validation still improves, begin again with --norm pre or fewer --layers"));
  };

  TrainingEvents events;
  events.step = [&](const StepReport& report) {
    log.add(report);
    progress.step(report);
    const bool milestone =
        report.step % settings.validate_every == 0 || report.step == settings.steps;
    // Its lines follow the validation.
    if (milestone && !run.data.validation.batches.empty()) return;
    if (milestone || report.step % log_every == 0) write_line(nullptr);
    if (!milestone) return;
    progress.milestone(report.step, nullptr);
    watch_encoder();
  };
  events.validation = [&](Index step, const Validation& found) {
    write_line(&found);
    progress.milestone(step, &found);
    watch_encoder();
  };
  events.save = [&](bool checkpoint) {
    save_run(run.directory, *run.model, run.trainer, run.data.tokenizer, checkpoint);
    draw_curves(run.directory);
  };
  events.stop = [&] {
    return interruptible.signal() != 0 || (minutes > 0 && progress.seconds() >= 60 * minutes);
  };
  const TrainingEnd end =
      train(*run.model, run.trainer, run.data.batches, run.data.validation, events);
  // A stop between two lines.
  if (log.write_line()) {
    progress.milestone(run.trainer.step, nullptr);
    draw_curves(run.directory);
  }
  return end;
}

// How the run ended, and how to continue.
void say_end(const Arguments& arguments, const Run& run, TrainingEnd end, Index steps_taken,
             double seconds) {
  const TrainingSettings& s = run.trainer.settings;
  const std::string resume =
      text(shell_word(arguments.program()), " train --resume ", shell_word(run.directory));
  const std::string taken = text(counted(steps_taken, "step"), " in ", duration(seconds));
  if (end == TrainingEnd::stopped) {
    say(text(taken, "; stopped at step ", run.trainer.step, " of ", s.steps,
             " and saved. To continue:\n  ", resume));
  } else if (end == TrainingEnd::solved) {
    say(text(steps_taken == 0 ? "solved already" : taken, ": ", s.solved_after,
             " validations in a row without a mistake"));
  } else if (end == TrainingEnd::no_gain) {
    say(text(taken, "; no gain in ", counted(s.patience, "validation"),
             " in a row. To continue:\n  ", resume, " --patience ", 2 * s.patience));
  } else if (steps_taken == 0) {
    say(text("step ", s.steps, " of ", s.steps, " was taken already. For more:\n  ", resume,
             " --steps ", 2 * std::max<Index>(s.steps, 500)));
  } else {
    say(taken +
        (s.solved_after > 0
             ? text("; ", s.solved_after,
                    " validations in a row without a mistake were not reached. For more steps:\n  ",
                    resume, " --steps ", 2 * s.steps)
             : ""));
  }
}

// Which weights translate will use, if they are not the last.
void say_best(const Run& run) {
  const Trainer::Best& best = run.trainer.best;
  if (best.weights.empty()) return;
  say(text("kept for translating: the weights of step ", best.step,
           ", with the smallest perplexity, ", fixed(best.perplexity, 3)));
}

void say_what_next(const Arguments& arguments, const Run& run) {
  const std::string program = shell_word(arguments.program());
  const std::string model = " --model " + shell_word(run.directory);
  const TrainingSettings& s = run.trainer.settings;
  say("\nTry next:");
  if (s.task == "text") {
    const std::vector<TextPair>& sample = run.data.validation.sample;
    if (!sample.empty()) {
      say(text("  echo ", shell_word(sample[0].source), " | ", program, " translate", model));
    }
    const bool valid = !s.valid_source.empty();
    say(text("  ", program, " evaluate", model, " --source ",
             valid ? shell_word(s.valid_source) : "test.source", " --target ",
             valid ? shell_word(s.valid_target) : "test.target"));
    return;
  }
  const char* const sentence = s.task == "phrasebook"   ? "Jane visite l'Afrique en septembre"
                               : s.task == "bracketing" ? "the dog that the cat sees sleeps"
                                                        : "h e l l o";
  say(text("  echo \"", sentence, "\" | ", program, " translate", model));
  // The test sets are at hand if the program runs in its repository, or in a build directory there.
  for (const char* data : {"data", "../data"}) {
    const std::filesystem::path test = std::filesystem::path(data) / s.task / "test";
    std::error_code ignored;
    if (!std::filesystem::exists(test.string() + ".source", ignored)) continue;
    say(text("  ", program, " evaluate", model, " --source ", test.string(), ".source --target ",
             test.string(), ".target"));
    break;
  }
  say(text("  ", program, " inspect", model));
  say(text("  ", program, " train ",
           s.task == "copy"      ? "reverse"
           : s.task == "reverse" ? "phrasebook"
                                 : "copy"));
}

int run_train(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  const double minutes = arguments.positive_or("minutes", 0, 1000000);  // 0: no limit
  use_threads(arguments);
  Run run = begin_run(arguments);
  if (!quiet) announce(run, minutes);

  const Index first_step = run.trainer.step;
  Progress progress(Progress::style_for(quiet), run.trainer.settings, first_step, minutes);
  TrainingEnd end = TrainingEnd::steps;
  int signal = 0;
  {
    const Interruptible interruptible;
    end = train_run(run, progress, interruptible, minutes);
    signal = interruptible.signal();
  }
  progress.clear();
  if (!quiet) say_end(arguments, run, end, run.trainer.step - first_step, progress.seconds());
  if (signal != 0) return 128 + signal;
  if (quiet) return 0;
  if (run.trainer.settings.task != "text") {
    say("");
    // The weights that translate will use, which need not be the last.
    put(task_report(*load_model(run.directory), find_task(run.trainer.settings.task)));
    flush_output();
  }
  say_best(run);
  say_what_next(arguments, run);
  return 0;
}

}  // namespace

Command train_command() {
  Command command;
  command.name = "train";
  command.summary = "train a model on a toy task or on parallel text";
  command.usage = {"train copy|reverse|phrasebook|bracketing [options]",
                   "train text --source F --target F [--valid-source F --valid-target F] [options]",
                   "train text --pairs F [--swap] [options]", "train --resume DIR [options]"};
  command.description =
      "Trains a model until it has taken --steps steps or, for copy, reverse and bracketing, until "
      "it makes no mistake; then shows what it has learned. copy repeats a sequence of letters, "
      "reverse turns it round: the smallest tasks that need attention. phrasebook translates "
      "French sentences, which the program makes itself, into English. bracketing parses sentences "
      "of "
      "a toy grammar: each becomes its tree (6.3). text learns to translate "
      "the lines of one file into those of another.\n\n"
      "text cuts lines into byte pairs, which it learns first. Without files to validate with, it "
      "holds some sentences back. At each validation it translates a sample of them and prints "
      "BLEU; the weights with the smallest perplexity there are the ones that are kept for "
      "translating.\n\n"
      "The run is a directory and is saved at every validation and every two minutes. Ctrl-C stops "
      "and saves; --resume continues, and the result is the same as without a stop. In the run, "
      "log.tsv has the loss, ten lines between two validations, and their results, and curves.svg "
      "draws it. Progress goes to standard error, the result of the test to standard output.";
  command.examples = {
      "attention train copy",
      "attention train reverse --positions learned --out runs/learned",
      "attention train phrasebook",
      "attention train text --source train.fr --target train.en --minutes 60",
      "attention train --resume runs/text --steps 200000",
  };
  command.groups = train_option_groups();
  command.operands = "copy|reverse|phrasebook|bracketing|text";
  command.run = run_train;
  return command;
}

}  // namespace attn::app
