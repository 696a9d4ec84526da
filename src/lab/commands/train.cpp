// attention-lab train: what it learns besides copy, reverse and text.
#include <string>
#include <vector>

#include "app/train.h"
#include "lab/commands/commands.h"
#include "lab/defaults.h"

namespace attn::app {

namespace {

void check_language_options(const Arguments& arguments, RunPlan& plan) {
  check_usage(arguments.has("text"), "train language needs --text F");
  arguments.refuse({"loss"},
                   "is for pairs of sentences; train language predicts every token of a window");
  const std::string architecture = arguments.value_or("architecture", "decoder");
  check_usage(architecture == "decoder", "a language model is --architecture decoder, not ",
              architecture, ", which reads a source");
  // Learned positions are as many as a window has.
  const Index context = plan.training.context;
  const Index positions = arguments.number_or("max-positions", context, 1, kLargestCount);
  check_usage(positions >= context, "--max-positions ", positions,
              " is too few: a window has a --context of ", context);
  plan.model["max_positions"] = std::to_string(positions);
  check_usage(plan.training.batch_tokens >= context, "--batch-tokens ", plan.training.batch_tokens,
              " is too few: a window has a --context of ", context);
}

}  // namespace

std::vector<Subject> all_subjects() {
  std::vector<Subject> subjects = paper_subjects();  // copy, reverse, text
  Subject language{"language", nullptr, any_defaults_of("language")};
  language.architecture = "decoder";
  language.vocabulary = 1000;
  language.minutes = 10;
  language.check = check_language_options;
  subjects.push_back(language);
  return subjects;
}

}  // namespace attn::app
