// The help of a command is a text, and its options are what the text says they are.
#include "app/commands.h"

#include <algorithm>
#include <map>

#include "app/train_options.h"
#include "base/printing.h"
#include "text/lines.h"

namespace attn::app {

namespace {

constexpr const char* kFirst = "First: ";

// By the command's name. The first line is a summary; after an empty line follow a description,
// usage, examples, and options under titles such as
//     Batch (layers, step):
//       --sentences N           sentence pairs in a batch [32]
// with defaults in brackets. A title may name the subjects that take its options. A text of many
// options has a line "First: --steps --out …" before them: those that a short help shows.
const std::map<std::string, std::string> kHelpTexts{
#include "app/help_texts.inc"
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

Command command(const std::string& name, RunCommand* run, std::size_t most_words = 0,
                const std::string& subject_kind = "",
                const std::vector<std::string>& subjects = {}) {
  const std::string& help = kHelpTexts.at(name);
  return {name, help, run, options_in(help, subjects), most_words, subject_kind, subjects};
}

}  // namespace

std::vector<Command> all_commands() {
  return {
      command("train", run_train, 1, "task", train_subjects()),
      command("translate", run_translate),
      command("generate", run_generate),
      command("evaluate", run_evaluate),
      command("average", run_average, kAnyNumber),
      command("bleu", run_bleu, kAnyNumber),
      command("tokenizer", run_tokenizer, 1, "tokenizer command", {"train", "encode", "decode"}),
      command("inspect", run_inspect),
      command("forward", run_forward),
      command("trace", run_trace, 2),
      command("attend", run_attend, 2),
      command("export", run_export),
      command("import", run_import),
      command("benchmark", run_benchmark, 1, "benchmark", {"matmul", "layers", "step", "decode"})};
}

std::string program_help(const std::vector<Command>& commands) {
  std::string help =
      "attention trains and runs the Transformer of the paper \"Attention Is All You\n"
      "Need\" (Vaswani et al., 2017, arXiv 1706.03762).\n\n"
      "Usage:\n  attention COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands) {
    help += "  " + padded(command.name, 12) + command.help.substr(0, command.help.find('\n') + 1);
  }
  return help +
         "\nBegin with these; the first trains a small model:\n"
         "  attention train copy\n"
         "  echo \"h e l l o\" | attention translate --model runs/copy\n\n"
         "More:\n"
         "  attention help COMMAND    a command's options, with examples\n"
         "  -m DIR, -o DIR            short for --model and --out\n"
         "  attention --version       which version this is\n";
}

std::string command_help(const Command& command, bool all) {
  const std::string help = command.help.substr(command.help.find("\n\n") + 2);
  const std::size_t first = help.find(kFirst);
  if (first == help.npos) return help;
  const std::size_t end = help.find('\n', first), options = end + 2;
  std::string result = help.substr(0, first);
  if (all) return result + help.substr(options);

  const std::vector<std::string_view> names =
      words(std::string_view(help).substr(first, end - first));
  result += "Options that are used most:\n";
  bool shown = false;
  for (const std::string& line : split(help.substr(options), '\n')) {
    if (line.rfind("  --", 0) == 0) {
      const std::string_view name = words(line).front();
      shown = std::find(names.begin() + 1, names.end(), name) != names.end();
    } else if (line.rfind("   ", 0) != 0) {
      shown = false;
    }
    if (shown) result += line + '\n';
  }
  return result + "\n  --help all              every option, and this text\n";
}

}  // namespace attn::app
