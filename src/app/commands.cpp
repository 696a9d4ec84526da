// The help of a command is a text, and its options are what the text says they are.
#include "app/commands.h"

#include <algorithm>
#include <map>

#include "app/train_options.h"
#include "base/check.h"
#include "base/printing.h"
#include "text/lines.h"

namespace attn::app {

namespace {

// By the command's name. The first line is a summary; after an empty line follow a description,
// usage, examples, and options under titles such as
//     Batch (layers, step):
//       --sentences N           sentence pairs in a batch [32]
// with defaults in brackets. A title may name the subjects that take its options. Those of a long
// text that are used most come before the title kMore.
const std::map<std::string, std::string> kHelpTexts{
#include "app/help_texts.inc"
};
constexpr const char* kMore = "More options:\n";

// What attention-lab has besides (lab/commands).
const std::vector<std::string> kElsewhere{
    "generate",  "export", "import",       "benchmark", "language",         "decoder",
    "rnn",       "gru",    "lstm",         "convs2s",   "--architecture",   "--attention",
    "--context", "--text", "--valid-text", "--loss",    "--encoder-kernel", "--decoder-kernel",
};

// Of "Batch (layers, step):", those in parentheses, if that is what they are.
std::vector<std::string> subjects_in(const std::string& title,
                                     const std::vector<std::string>& subjects) {
  std::vector<std::string> named;
  for (const std::string& subject : subjects) {
    for (const char* end : {",", ")"}) {
      const bool first = title.find("(" + subject + end) != title.npos;
      if (first || title.find(", " + subject + end) != title.npos) named.push_back(subject);
    }
  }
  return named;
}

// "  --sentences N      …": the name and the placeholder end where two spaces follow.
Option option_in(const std::string& line, const std::vector<std::string>& subjects) {
  const std::string given = line.substr(4, line.find("  ", 4) - 4);
  const std::size_t space = std::min(given.find(' '), given.size());
  const std::string name = given.substr(0, space);
  return {name, given.substr(std::min(space + 1, given.size())), "", false, subjects};
}

std::vector<Option> options_in(const std::string& help, const std::vector<std::string>& subjects) {
  std::vector<Option> options;
  bool listed = false;              // whether this part of the help lists options
  std::vector<std::string> takers;  // the subjects that take those of this part
  std::string described;            // all that is said about the last of them so far
  for (const std::string& line : split(help, '\n')) {
    if (ends_with(line, ":") && line[0] != ' ') {
      listed = line != "Usage:" && line != "Examples:";
      takers = subjects_in(line, subjects);
    } else if (listed) {
      const bool begins = line.rfind("  --", 0) == 0;
      if (begins) options.push_back(option_in(line, takers));
      if (options.empty() || line.empty()) continue;
      described = begins ? line : described + ' ' + line.substr(line.find_first_not_of(' '));
      const std::size_t bracket = described.rfind('[');
      if (ends_with(line, "]")) {
        options.back().by_default = described.substr(bracket + 1, described.size() - bracket - 2);
      }
      if (ends_with(line, "(required)")) options.back().required = true;
    }
  }
  return options;
}

ModelPlan plan_of_paper(const Settings& settings, const std::string& where) {
  const std::string& architecture = architecture_of(settings, where);
  ATTN_CHECK(!contains(kElsewhere, architecture), where, ": this model is not a Transformer, but ",
             architecture, "; attention-lab reads it");
  return plan_transformer(settings, where);
}

Program make_program() {
  Program program;
  program.name = "attention";
  program.subjects = paper_subjects();
  program.architectures = transformer_alone();
  program.makers.model = plan_of_paper;
  program.elsewhere = kElsewhere;
  const auto add = [&](const std::string& name, RunCommand* run, std::size_t most_words = 0,
                       const std::string& subject_kind = "",
                       const std::vector<std::string>& subjects = {}) {
    const std::string help = help_text(name, program.name);
    program.commands.push_back(command(name, help, run, most_words, subject_kind, subjects));
  };
  add("train", run_train, 1, "task", names_of(program.subjects));
  add("translate", run_translate);
  add("evaluate", run_evaluate);
  add("average", run_average, kAnyNumber);
  add("bleu", run_bleu, kAnyNumber);
  add("tokenizer", run_tokenizer, 1, "tokenizer command", {"train", "encode", "decode"});
  add("inspect", run_inspect);
  add("forward", run_forward);
  add("trace", run_trace, 2);
  add("attend", run_attend, 2);
  return program;
}

}  // namespace

std::string help_text(const std::string& name, const std::string& program) {
  const char other = program == "attention" ? '>' : '<';
  std::string help;
  for (std::string line : split(kHelpTexts.at(name), '\n')) {
    if (!line.empty() && line[0] == other) continue;
    if (!line.empty() && (line[0] == '<' || line[0] == '>')) line.erase(0, 1);
    for (const char c : line) help += c == '@' ? program : std::string(1, c);
    help += '\n';
  }
  help.pop_back();  // the text itself ends in a newline
  return help;
}

Command command(const std::string& name, const std::string& help, RunCommand* run,
                std::size_t most_words, const std::string& subject_kind,
                const std::vector<std::string>& subjects) {
  return {name, help, run, options_in(help, subjects), most_words, subject_kind, subjects};
}

std::vector<std::string> names_of(const std::vector<Subject>& subjects) {
  std::vector<std::string> names;
  for (const Subject& subject : subjects) names.push_back(subject.name);
  return names;
}

const Program& paper_program() {
  static const Program program = make_program();
  return program;
}

std::string program_help(const Program& program) {
  std::string commands;
  for (const Command& command : program.commands) {
    commands +=
        "  " + padded(command.name, 12) + command.help.substr(0, command.help.find('\n') + 1);
  }
  std::string help = help_text("program", program.name);
  const std::string title = "\nCommands:\n";
  return help.insert(help.find(title) + title.size(), commands);
}

std::string command_help(const Command& command, bool all) {
  const std::string help = command.help.substr(command.help.find("\n\n") + 2);
  const std::size_t more = help.find(kMore);
  if (all || more == help.npos) return help;
  return help.substr(0, more) + "  --help all              every option, and this text\n";
}

}  // namespace attn::app
