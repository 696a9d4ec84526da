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

// What attention-lab has besides (lab/commands), so that this program can name it.
const Elsewhere kElsewhere{"attention-lab",
                           {"generate", "export", "import", "benchmark"},
                           {"language"},
                           {"decoder", "rnn", "gru", "lstm", "convs2s"}};

ModelPlan plan_of_paper(const Settings& settings, const std::string& where) {
  const std::string& architecture = architecture_of(settings, where);
  ATTN_CHECK(!contains(kElsewhere.architectures, architecture), where, ": this model is not a ",
             "Transformer, but ", architecture, "; ", kElsewhere.program, " reads it");
  return plan_transformer(settings, where);
}

std::vector<Command> paper_commands(const std::vector<Subject>& subjects) {
  const auto paper = [](const std::string& name, RunCommand* run, std::size_t most_words = 0,
                        const std::string& subject_kind = "",
                        const std::vector<std::string>& names = {}) {
    Command result = command(name, help_text(name, false), run, most_words, subject_kind, names);
    for (const Option& option : options_in(help_text(name, true), names)) {
      const bool here = find_option(result.options, option.name) != nullptr;
      if (!here) result.elsewhere.push_back(option.name);
    }
    return result;
  };
  return {paper("train", run_train, 1, "task", names_of(subjects)),
          paper("translate", run_translate),
          paper("evaluate", run_evaluate),
          paper("average", run_average, kAnyNumber),
          paper("bleu", run_bleu, kAnyNumber),
          paper("tokenizer", run_tokenizer, 1, "tokenizer command", {"train", "encode", "decode"}),
          paper("inspect", run_inspect),
          paper("forward", run_forward),
          paper("trace", run_trace, 2),
          paper("attend", run_attend, 2)};
}

}  // namespace

std::string help_text(const std::string& name, bool laboratory) {
  std::string help;
  for (const std::string& line : split(kHelpTexts.at(name), '\n')) {
    const bool marked = !line.empty() && (line[0] == '<' || line[0] == '>');
    if (marked && (line[0] == '>') != laboratory) continue;
    help += line.substr(marked ? 1 : 0) + '\n';
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
  static const Program program = [] {
    Program made;
    made.name = "attention";
    made.about =
        "attention trains and runs the Transformer of the paper \"Attention Is All You\n"
        "Need\" (Vaswani et al., 2017, arXiv 1706.03762).\n";
    made.subjects = paper_subjects();
    made.commands = paper_commands(made.subjects);
    made.architectures = transformer_alone();
    made.makers.model = plan_of_paper;
    made.elsewhere = kElsewhere;
    return made;
  }();
  return program;
}

std::string program_help(const Program& program) {
  const std::string& name = program.name;
  std::string help = program.about + "\nUsage:\n  " + name + " COMMAND [options]\n\nCommands:\n";
  for (const Command& command : program.commands) {
    help += "  " + padded(command.name, 12) + command.help.substr(0, command.help.find('\n') + 1);
  }
  const Elsewhere& elsewhere = program.elsewhere;
  if (!elsewhere.commands.empty()) {
    help += "\n" + elsewhere.program + " also has " + list_of(elsewhere.commands) +
            ", and more kinds of models.\n";
  }
  const std::size_t width = name.size() + 15;
  return help + "\nBegin with these; the first trains a small model:\n  " + name +
         " train copy\n  echo \"h e l l o\" | " + name +
         " translate --model runs/copy\n\nMore:\n"
         "  " +
         padded(name + " help COMMAND", width) +
         "  a command's options, with examples\n"
         "  " +
         padded("-m DIR, -o DIR", width) +
         "  short for --model and --out\n"
         "  " +
         padded(name + " --version", width) + "  which version this is\n";
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
