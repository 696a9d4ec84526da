// attention-lab train: what it learns besides copy, reverse and text.
#include <string>
#include <vector>

#include "app/train_options.h"
#include "base/number.h"
#include "lab/commands/commands.h"

namespace attn::app {

namespace {

void check_language_options(const Arguments& arguments) {
  if (!arguments.has("text")) fail_usage("train language needs --text F");
  arguments.refuse({"loss"},
                   "is for pairs of sentences; train language predicts every token of a window");
  const std::string architecture = arguments.value_or("architecture", "decoder");
  if (architecture == "decoder") return;
  fail_usage("a language model is --architecture decoder, not ", architecture,
             ", which reads a source");
}

// Learned positions are as many as a window has.
void set_positions(const Arguments& arguments, RunPlan& plan) {
  const Index context = plan.training.context;
  if (arguments.number_or("max-positions", context, 1, kLargestCount) < context) {
    fail_usage("--max-positions ", arguments.value("max-positions"),
               " is too few: a window has a --context of ", context);
  }
  if (!arguments.has("max-positions")) plan.model["max_positions"] = std::to_string(context);
}

// "9,000 tokens of a.txt in windows of 64; validated with 500, the last 1/20 of each tenth of it"
std::string summary_of_language(const TrainingSettings& s, const DataReport& report) {
  std::string all =
      text(counted(report.trained, "token"), " of ", report.files, " in windows of ", s.context);
  all += report.validated == 0
             ? "; nothing is held out, so there is no validation"
             : text("; validated with ", grouped(report.validated),
                    s.valid_text.empty() ? text(", the last 1/", s.hold_out, " of each tenth of it")
                                         : " of " + s.valid_text);
  if (report.unknown > 0) {
    all += text("; ", percent(report.unknown, report.tokens), " of the tokens are unknown");
  }
  return all + look_alikes_text(report.look_alikes);
}

std::vector<std::string> next_of_language(const TrainingSettings& s, const std::string& model) {
  const std::string& text = s.valid_text.empty() ? s.text : s.valid_text;
  return {"generate" + model, "evaluate" + model + " --text " + typed_path(text)};
}

}  // namespace

std::vector<Subject> all_subjects() {
  std::vector<Subject> subjects = paper_subjects();  // copy, reverse, text
  Subject language{"language"};
  language.architecture = "decoder";
  language.vocabulary = 1000;
  language.minutes = 10;
  language.check = check_language_options;
  language.complete = set_positions;
  language.summary = summary_of_language;
  language.next = next_of_language;
  subjects.push_back(language);
  return subjects;
}

}  // namespace attn::app
