// What `train` says before the first step and after the last.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "app/terminal/console.h"
#include "app/terminal/printing.h"
#include "app/train.h"
#include "base/format.h"
#include "base/number.h"
#include "metrics/exact_match.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

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
  return text(result, ": ", counted(model.facts.weights, "weight"));
}

// "from step 800 to 2000, batches of 512 tokens; validated every 50"
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

// "guessing among 29 tokens gives 3.37; with label smoothing 0.1 the least is 0.64"
std::string loss_summary(const SequenceModel& model) {
  const Index V = model.facts.target_vocabulary;
  std::string loss = text("guessing among ", V, " tokens gives ", fixed(std::log(to_double(V)), 2));
  const double epsilon =
      parse_number<double>(model.facts.settings.at("label_smoothing"), "a number");
  if (epsilon > 0) {
    loss += text("; with label smoothing ", shortest(epsilon), " the least is ",
                 fixed(least_loss(epsilon, V), 2));
  }
  return loss;
}

std::string and_left_out(const LeftOut& left_out) {
  const std::string reasons = left_out_text(left_out);
  return reasons.empty() ? "" : "; left out: " + reasons;
}

std::string score(const std::vector<TextPair>& pairs, Index right, const char* what) {
  std::set<std::size_t> lengths;
  for (const TextPair& pair : pairs) lengths.insert(words(pair.source).size());
  const Index total = pairs.size();
  return text("  ", right_aligned(percent(right, total), 7), "  ", right_aligned(grouped(right), 5),
              " of ", right_aligned(grouped(total), 5), "  ", what, ", ", *lengths.begin(), " to ",
              *lengths.rbegin(), " words\n");
}

// With learned positions a model cannot even read what is longer than its table.
std::string score_of_longer(const SequenceModel& model, const Task& task) {
  const std::vector<TextPair> longer = task.longer_test_set();
  const Index needed = longest_sentence_of(encode_corpus(longer, task.tokenizer).pairs);
  if (model.facts.longest_sentence < needed) {
    return text("  longer ones need ", needed, " positions, the model has ",
                model.facts.longest_sentence, "\n");
  }
  return score(longer, exact_matches(model, task.tokenizer, longer).count,
               "longer than any in training");
}

// How many test sequences come out exactly right, with a line for those longer than any in
// training; then four short ones, right or wrong, and the first mistakes among the others.
std::string task_report(const SequenceModel& model, const Task& task) {
  const std::vector<TextPair> test = task.test_set();
  const ExactMatches answers = exact_matches(model, task.tokenizer, test);
  std::string report = text(task.name, ": sequences that come out exactly right\n") +
                       score(test, answers.count, "never seen in training") +
                       score_of_longer(model, task) + '\n';
  std::vector<std::size_t> shown;
  int mistakes = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    const bool is_short = i < 12 && i % 3 == 0;
    if (is_short || (!answers.matches[i] && mistakes++ < 2)) shown.push_back(i);
  }
  std::size_t width = display_width("instead of");
  for (const std::size_t i : shown) width = std::max(width, display_width(test[i].source));
  for (const std::size_t i : shown) {
    const bool right = answers.matches[i];
    report += text(right ? "  ✓ " : "  ✗ ", padded(test[i].source, width), " → ",
                   answers.outputs[i], '\n');
    if (right) continue;
    report += text("    ", right_aligned("instead of", width), "   ", test[i].target, '\n');
  }
  return report;
}

// Which weights decode, if there was a choice; and whether they are still nearer to guessing, whose
// loss is ln V, than to certainty.
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
  const double loss = std::log(perplexity), guessing = std::log(to_double(run.tokenizer.size()));
  if (loss <= guessing / 2 || has_exploded(loss, guessing, loss)) return;
  say(text("this model guesses more than it knows: train it for longer, or on more than ",
           counted(run.data.report.trained, s.text.empty() ? "pair" : "token")));
}

void say_what_next(const Arguments& arguments, const Run& run, const Subject& subject) {
  const TrainingSettings& s = run.trainer.settings;
  const std::string program = shell_word(arguments.called);
  const std::string model = " --model " + typed_path(run.directory);
  const auto propose = [&](const std::string& words) { say("  " + program + ' ' + words); };
  say("\nTry next:");
  if (!s.text.empty()) {
    propose("generate" + model);
    if (!s.valid_text.empty()) {
      propose("evaluate" + model + " --text " + typed_path(s.valid_text));
    }
    return;
  }
  const std::vector<TextPair>& sample = run.data.validation.sample;
  std::string sentence, source = s.valid_source, target = s.valid_target;
  if (!sample.empty()) sentence = shell_word(sample[0].source);
  if (subject.task != nullptr) {
    sentence = "\"h e l l o\"";
    // The test sets are at hand if the program runs in its repository.
    source = "data/" + subject.name + "/test.source";
    target = "data/" + subject.name + "/test.target";
  }
  if (!sentence.empty()) say("  echo " + sentence + " | " + program + " translate" + model);
  propose("inspect" + model);
  const std::string other = subject.name == "copy" ? "reverse" : "copy";
  if (subject.task != nullptr && !exists("runs/" + other)) propose("train " + other);
  if (exists(source) && exists(target)) {
    propose("evaluate" + model + " --source " + typed_path(source) + " --target " +
            typed_path(target));
  }
}

}  // namespace

std::string data_summary(const TrainingSettings& s, const DataReport& report) {
  const bool pairs = s.text.empty();
  std::string all =
      text(counted(report.trained, pairs ? "pair" : "token"), " of ", report.files,
           pairs ? "" : text(" in windows of ", s.context), and_left_out(report.left_out));
  if (report.validated == 0) {
    all += "; nothing is held out, so there is no validation";
    if (pairs && s.hold_out > 0) {
      all += text(" (of so few sources, --hold-out ", s.hold_out, " chose none; give ",
                  s.hold_out > 10 ? "a smaller number, or " : "", "--valid-source)");
    }
  } else {
    all += "; validated with " + grouped(report.validated);
    if (!s.valid_text.empty()) {
      all += " of " + s.valid_text;
    } else if (!pairs) {
      all += text(", the last 1/", s.hold_out, " of each tenth of it");
    } else if (s.valid_source.empty()) {
      all += text(" others, one source in ", s.hold_out, ", chosen by its hash");
    }
    all += and_left_out(report.left_out_of_validated);
  }
  if (report.unknown > 0) {
    all += text("; ", percent(report.unknown, report.tokens), " of the tokens are unknown");
  }
  return all + look_alikes_text(report.look_alikes);
}

void announce(const Run& run, const Subject& subject, double minutes) {
  std::string data;
  if (subject.task != nullptr) {
    const TextPair example = subject.task().validation_set()[1];
    data = text(subject.name, ", for example ", example.source, " → ", example.target);
  } else {
    data = data_summary(run.trainer.settings, run.data.report);
  }
  say("data   " + data);
  say("model  " + model_summary(*run.model));
  say("steps  " + steps_summary(run, minutes));
  say("loss   " + loss_summary(*run.model));
  say("run    " + run.directory + " (Ctrl-C stops and saves)");
}

void say_end(const Arguments& arguments, const Run& run, TrainingEnd end, Index steps_taken,
             double seconds) {
  const TrainingSettings& s = run.trainer.settings;
  const std::string resume =
      text("\n  ", shell_word(arguments.called), " train --resume ", shell_word(run.directory));
  std::string said = text(counted(steps_taken, "step"), " in ", duration(seconds));
  if (end == TrainingEnd::stopped) {
    said += text("; stopped at step ", run.trainer.step, " of ", s.steps,
                 " and saved. To continue:", resume);
  } else if (end == TrainingEnd::solved) {
    said += text(": ", counted(run.trainer.solved, "fresh sequence"), " without a mistake");
  } else if (end == TrainingEnd::no_gain) {
    said +=
        text("; no gain in ", counted(s.patience, "validation"), " in a row. To continue:", resume,
             " --patience ", 2 * std::max(s.patience, run.trainer.best.since),
             run.trainer.step < s.steps ? "" : text(" --steps ", 2 * s.steps));
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

void report_result(const Arguments& arguments, const Run& run, const Subject& subject) {
  if (subject.task != nullptr) {
    say("");
    // The weights that translate will use, which need not be the last.
    const auto model = load_model(run.directory, arguments.program.plan_model);
    put(task_report(*model, subject.task()));
    flush_output();
  }
  say_kept(run);
  say_what_next(arguments, run, subject);
}

std::string typed_path(const std::string& path) {
  std::error_code error;
  // (Without it, proximate throws where the current directory was removed.)
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error) return shell_word(path);
  const std::string near = std::filesystem::proximate(path, here, error).string();
  const bool option = near[0] == '-';  // it would be read as one
  return shell_word(error || option || near.size() >= path.size() ? path : near);
}

}  // namespace attn::app
