// attention train: a new run or a resumed one, its progress, and what it has learned.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <optional>
#include <string>

#include "app/commands.h"
#include "app/drawing/training_log.h"
#include "app/task_report.h"
#include "app/terminal/console.h"
#include "app/terminal/interrupt.h"
#include "app/terminal/progress.h"
#include "app/train_options.h"
#include "app/train_warnings.h"
#include "base/number.h"
#include "storage/atomic_file.h"

namespace attn::app {

namespace {

// "transformer, layers 2+2, d_model 64, heads 4: 233,792 weights"
std::string model_summary(const SequenceModel& model) {
  const Settings& s = model.facts.settings;
  const std::string encoder = model.facts.one_sequence ? "" : s.at("layers") + "+";
  std::string result = text(s.at("architecture"), ", layers ", encoder, s.at("layers"));
  for (const char* name : {"d_model", "heads", "attention"}) {
    if (s.count(name) > 0) result += text(", ", name, ' ', s.at(name));
  }
  return text(result, ": ", counted(count_parameters(model), "weight"));
}

constexpr Index kMostMinutes = 1000000;

// "from step 800 to 2000, batches of 512 tokens; validated every 50". minutes: the time budget, 0
// for none.
std::string steps_summary(const Run& run, double minutes) {
  const TrainingSettings& s = run.trainer.settings;
  std::string steps = run.trainer.step > 0 ? text("from step ", run.trainer.step, " to ") : "";
  steps += text(s.steps, ", batches of ", counted(s.batch_tokens, "token"));
  if (s.accumulate > 1) steps += text(" × ", s.accumulate);
  if (s.solved_after > 0) {
    steps += text(", or until ", counted(s.solved_after, "fresh sequence"), " in a row are right");
  }
  if (!run.data.validation.batches.empty()) steps += text("; validated every ", s.validate_every);
  if (s.patience > 0) {
    steps += text(", until ", counted(s.patience, "validation"), " in a row bring no gain");
  }
  if (minutes > 0) {
    steps += text("; at most ", shortest(minutes), minutes == 1 ? " minute" : " minutes");
  }
  return steps;
}

// "copy, for example a b c → a b c"
std::string task_summary(const Task& task) {
  const TextPair example = task.validation_set()[1];
  return text(task.name, ", for example ", example.source, " → ", example.target);
}

// "guessing among 29 tokens gives 3.37; with label smoothing 0.1 the least is 0.64"
std::string loss_summary(const SequenceModel& model) {
  const Index V = model.facts.target_vocabulary;
  std::string loss =
      text("guessing among ", V, " tokens gives ", fixed(std::log(static_cast<double>(V)), 2));
  const double epsilon =
      parse_number<double>(model.facts.settings.at("label_smoothing"), "a number");
  if (epsilon > 0) {
    loss += text("; with label smoothing ", shortest(epsilon), " the least is ",
                 fixed(least_loss(epsilon, V), 2));
  }
  return loss;
}

// What is going to happen.
void announce(const Run& run, const Subject& subject, double minutes) {
  say("data   " + (subject.task != nullptr
                       ? task_summary(subject.task())
                       : subject.summary(run.trainer.settings, run.data.report)));
  say("model  " + model_summary(*run.model));
  say("steps  " + steps_summary(run, minutes));
  say("loss   " + loss_summary(*run.model));
  say("run    " + run.directory + " (Ctrl-C stops and saves)");
}

// Sets `last` to the last validation, if there was one.
TrainingEnd train_run(Run& run, Progress& progress, Warnings& warnings,
                      const Interruptible& interruptible, double minutes,
                      std::optional<Validation>& last) {
  const TrainingSettings& settings = run.trainer.settings;
  TrainingLog log(run.directory + "/log.tsv", run.trainer.step);
  const Index log_every = std::max<Index>(1, settings.validate_every / 10);
  const auto write_line = [&](const Validation* validation) {
    check_place(run);
    if (const std::optional<double> loss = log.write_line(validation)) warnings.look_at_loss(*loss);
  };
  const auto reach_milestone = [&](const Validation* validation) {
    write_line(validation);
    progress.milestone(run.trainer.step, validation);
    warnings.look_inside();
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
  events.validation = [&](const Validation& found) {
    reach_milestone(&found);
    last = found;
  };
  Index saved = run.trainer.step;
  events.save = [&](bool checkpoint) {
    write_line(nullptr);  // if it is between two
    save_run(run, checkpoint);
    saved = run.trainer.step;
    draw_curves(run.directory);
  };
  events.between_batches = [&] {
    if (interruptible.signal() == 0) return;
    progress.clear();
    if (interruptible.signal() == SIGINT) say("stopping and saving; Ctrl-C again stops at once");
    throw Interrupted();
  };
  if (minutes > 0) events.seconds = 60 * minutes;
  try {
    return train(*run.model, run.trainer, run.data.batches, run.data.validation, events);
  } catch (const Diverged& error) {
    throw Diverged(
        text(error.what(), "; ", run.directory, " keeps the run as it was at step ", saved));
  } catch (const Error&) {
    if (run.trainer.step > saved) save_run(run, false);  // it may be the log that failed
    throw;
  }
}

// How the run ended, and how to continue.
void say_end(const Arguments& arguments, const Run& run, TrainingEnd end, Index steps_taken,
             double seconds) {
  const TrainingSettings& s = run.trainer.settings;
  const std::string resume =
      text("\n  ", shell_word(arguments.called()), " train --resume ", shell_word(run.directory));
  std::string said = text(counted(steps_taken, "step"), " in ", duration(seconds));
  if (end == TrainingEnd::stopped) {
    said += text("; stopped at step ", run.trainer.step, " of ", s.steps,
                 " and saved. To continue:", resume);
  } else if (end == TrainingEnd::solved) {
    said += text(": ", counted(run.trainer.solved, "fresh sequence"), " without a mistake");
  } else if (end == TrainingEnd::no_gain) {
    said += text("; no gain in ", counted(s.patience, "validation"),
                 " in a row. To continue:", resume, " --patience ", 2 * s.patience);
  } else if (steps_taken == 0) {
    said = text("step ", s.steps, " of ", s.steps, " was taken already. For more:", resume,
                " --steps ", 2 * std::max<Index>(s.steps, 500));
  } else if (s.solved_after > 0) {
    said +=
        text("; ", counted(s.solved_after, "fresh sequence"),
             " without a mistake were not reached. For more:", resume, " --steps ", 2 * s.steps);
  }
  say(said);
}

// Which weights decode, if there was a choice.
void say_kept(const Run& run) {
  const Trainer& trainer = run.trainer;
  const TrainingSettings& s = trainer.settings;
  const bool last = trainer.last_perplexity < trainer.best.perplexity;
  const double perplexity = last ? trainer.last_perplexity : trainer.best.perplexity;
  if (perplexity == kNoPerplexity) return;
  say(text("kept for ", s.text.empty() ? "translating" : "writing", ": the ",
           s.keep_last ? "last weights; step " : "weights of step ",
           last ? trainer.step : trainer.best.step, s.keep_last ? " had" : ", with",
           " the smallest perplexity, ", fixed(perplexity, 3)));
}

// Of a text: a BLEU below 5, or a perplexity of more than a tenth of guessing's.
void say_if_too_short(const Run& run, const Validation& last) {
  const double perplexity = last.sums.perplexity();
  if (last.bleu ? *last.bleu >= 5 : perplexity <= run.tokenizer.size() / 10.0) return;
  say(text("this run was too short to be of use (",
           last.bleu ? "BLEU " + fixed(*last.bleu, 1) : "perplexity " + fixed(perplexity, 1),
           "): continue it for longer; if that does not help, give it more text than ",
           counted(run.data.report.trained, run.trainer.settings.text.empty() ? "pair" : "token")));
}

// What to type after the program's name.
std::vector<std::string> next_of_task(const std::string& task, const std::string& model) {
  std::vector<std::string> next{"inspect" + model, task == "copy" ? "train reverse" : "train copy"};
  // The test sets are at hand if the program runs in its repository.
  const std::string test = "data/" + task + "/test";
  if (exists(test + ".source")) {
    next.push_back("evaluate" + model + " --source " + test + ".source --target " + test +
                   ".target");
  }
  return next;
}

void say_what_next(const Arguments& arguments, const Run& run, const Subject& subject) {
  const std::string program = shell_word(arguments.called());
  const std::string model = " --model " + typed_path(run.directory);
  const std::vector<TextPair>& sample = run.data.validation.sample;
  std::string sentence = subject.task != nullptr ? "\"h e l l o\"" : "";
  if (!sample.empty()) sentence = shell_word(sample[0].source);
  say("\nTry next:");
  if (!sentence.empty()) say(text("  echo ", sentence, " | ", program, " translate", model));
  for (const std::string& words : subject.task != nullptr
                                      ? next_of_task(subject.name, model)
                                      : subject.next(run.trainer.settings, model)) {
    say(text("  ", program, ' ', words));
  }
}

}  // namespace

int run_train(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  arguments.positive_or("minutes", 0, kMostMinutes);
  Run run = begin_run(arguments);
  // A text has no end of its own, and all its steps may take days. 0: no limit.
  const Subject& subject = find_subject(arguments.program(), run.trainer.settings.task);
  const double usual = arguments.has("steps") ? 0 : subject.minutes;
  const double minutes = arguments.positive_or("minutes", usual, kMostMinutes);
  if (arguments.has("resume")) repair_run(run);  // not before all is known to fit
  if (!quiet) announce(run, subject, minutes);

  const Index first_step = run.trainer.step;
  Progress progress(Progress::style_for(quiet), run.trainer.settings, first_step, minutes);
  Warnings warnings(run, progress);
  TrainingEnd end = TrainingEnd::steps;
  std::optional<Validation> last;
  int signal = 0;
  {
    const Interruptible interruptible;
    end = train_run(run, progress, warnings, interruptible, minutes, last);
    signal = interruptible.signal();
  }
  progress.clear();
  if (!quiet) say_end(arguments, run, end, run.trainer.step - first_step, progress.seconds());
  if (signal != 0) return 128 + signal;
  if (quiet) return 0;
  if (subject.task != nullptr) {
    say("");
    // The weights that translate will use, which need not be the last.
    PlanModel* const plan = arguments.program().makers.model;
    put(task_report(*load_model(run.directory, plan), subject.task()));
    flush_output();
  }
  say_kept(run);
  if (subject.task == nullptr && last) say_if_too_short(run, *last);
  say_what_next(arguments, run, subject);
  return 0;
}

}  // namespace attn::app
