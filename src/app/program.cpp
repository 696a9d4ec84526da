// A command's options are those in the text of its help. What a command throws becomes a message.
#include "app/program.h"

#include <algorithm>
#include <map>
#include <new>

#include "app/terminal/console.h"
#include "app/terminal/printing.h"
#include "app/train.h"
#include "base/parallel.h"
#include "kernels/isa.h"
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
  const std::size_t begin = title.find('(') + 1;
  const std::string listed = ", " + title.substr(begin, title.find(')') - begin) + ",";
  std::vector<std::string> named;
  for (const std::string& subject : subjects) {
    if (listed.find(", " + subject + ",") != listed.npos) named.push_back(subject);
  }
  return named;
}

// "  --sentences N      …": the name and the placeholder end where two spaces follow.
Option option_in(const std::string& line, const std::vector<std::string>& subjects) {
  const std::string given = line.substr(4, line.find("  ", 4) - 4);
  const std::string name = given.substr(0, given.find(' '));
  const bool flag = name == given;
  return {name, flag ? "" : given.substr(name.size() + 1), "", false, subjects};
}

std::vector<Option> options_in(const std::string& help, const std::vector<std::string>& subjects) {
  std::vector<Option> options;
  bool listed = false;              // whether this part of the help lists options
  std::vector<std::string> takers;  // the subjects that take those of this part
  for (const std::string& line : split(help, '\n')) {
    if (ends_with(line, ":") && line[0] != ' ') {
      listed = line != "Usage:" && line != "Examples:";
      takers = subjects_in(line, subjects);
    } else if (listed) {
      if (line.rfind("  --", 0) == 0) options.push_back(option_in(line, takers));
      if (ends_with(line, "]")) {
        const std::size_t bracket = line.rfind('[') + 1;
        options.back().by_default = line.substr(bracket, line.size() - bracket - 1);
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

// The text for a program, whose name takes the place of each @. Lines that begin with < are for
// attention alone, those that begin with > for attention-lab alone.
std::string help_for(const Program& program, const std::string& name) {
  const char other = program.name == "attention" ? '>' : '<';
  std::string help;
  for (std::string line : split(kHelpTexts.at(name), '\n')) {
    if (!line.empty() && line[0] == other) continue;
    if (!line.empty() && (line[0] == '<' || line[0] == '>')) line.erase(0, 1);
    for (const char c : line) help += c == '@' ? program.name : std::string(1, c);
    help += '\n';
  }
  help.pop_back();  // the text itself ends in a newline
  return help;
}

Program make_program() {
  Program program;
  program.name = "attention";
  program.subjects = paper_subjects();
  program.architectures = transformer_alone();
  program.plan_model = plan_of_paper;
  program.elsewhere = kElsewhere;
  add_paper_commands(program);
  return program;
}

// What the program is for and which commands it has.
std::string program_help(const Program& program) {
  std::string commands;
  for (const Command& command : program.commands) {
    commands +=
        "  " + padded(command.name, 12) + command.help.substr(0, command.help.find('\n') + 1);
  }
  std::string help = help_for(program, "program");
  const std::string title = "\nCommands:\n";
  return help.insert(help.find(title) + title.size(), commands);
}

const Command& find_command(const Program& program, const std::string& name) {
  std::vector<std::string> names{"help", "version"};
  for (const Command& command : program.commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  fail_usage(name[0] == '-' ? "a command must come first, not " : "there is no command ", name,
             hint(program, name, names));
}

int run_words(const Program& program, const std::string& called,
              const std::vector<std::string>& words) {
  if (words.empty() || words[0].empty()) {
    say(program_help(program));
    fail_usage("a command is missing");
  }
  // "help train" is "train --help", whatever else is there.
  const auto options_end = std::find(words.begin(), words.end(), "--");
  const auto asks_for_help = [](const std::string& word) {
    return word == "--help" || word == "-h";
  };
  if (words[0] == "help" || std::any_of(words.begin(), options_end, asks_for_help)) {
    for (const std::string& word : words) {
      if (word == "help" || asks_for_help(word)) continue;
      put(command_help(find_command(program, word), words.back() == "all"));
      return 0;
    }
    put(program_help(program));
    return 0;
  }
  if (contains({"version", "--version", "-v", "-V"}, words[0])) {
    put(program.name + " " ATTENTION_VERSION "\n");
    return 0;
  }

  const Command& command = find_command(program, words[0]);
  const Arguments arguments(program, command, called, {words.begin() + 1, words.end()});
  if (arguments.has("threads")) {
    set_threads(static_cast<int>(arguments.number("threads", 1, 256)));
  }
  isa_name();  // an unknown one is said before anything is made
  return command.run(arguments);
}

// Where the user finds out more: the command's help if there is such a command.
std::string help_of(const Program& program, const std::vector<std::string>& words) {
  for (const Command& command : program.commands) {
    if (!words.empty() && command.name == words[0])
      return program.name + ' ' + words[0] + " --help";
  }
  return program.name + " --help";
}

}  // namespace

void add_command(Program& program, const std::string& name, const std::string& help,
                 RunCommand* run, std::size_t most_words, const std::string& subject_kind,
                 const std::vector<std::string>& subjects) {
  program.commands.push_back(
      {name, help, run, options_in(help, subjects), most_words, subject_kind, subjects});
}

void add_paper_commands(Program& program) {
  const auto add = [&](const std::string& name, RunCommand* run, std::size_t most_words = 0,
                       const std::string& subject_kind = "",
                       const std::vector<std::string>& subjects = {}) {
    add_command(program, name, help_for(program, name), run, most_words, subject_kind, subjects);
  };
  std::vector<std::string> tasks;
  for (const Subject& subject : program.subjects) tasks.push_back(subject.name);
  add("train", run_train, 1, "task", tasks);
  add("translate", run_translate);
  add("evaluate", run_evaluate);
  add("average", run_average, kAnyNumber);
  add("bleu", run_bleu, kAnyNumber);
  add("tokenizer", run_tokenizer, 1, "tokenizer command", {"train", "encode", "decode"});
  add("inspect", run_inspect);
  add("forward", run_forward);
  add("trace", run_trace, 2);
  add("attend", run_attend, 2);
}

const Program& paper_program() {
  static const Program program = make_program();
  return program;
}

std::string command_help(const Command& command, bool all) {
  const std::string help = command.help.substr(command.help.find("\n\n") + 2);
  const std::size_t more = help.find(kMore);
  if (all || more == help.npos) return help;
  return help.substr(0, more) + "  --help all              every option, and this text\n";
}

const Subject& find_subject(const Program& program, const std::string& name) {
  for (const Subject& subject : program.subjects) {
    if (subject.name == name) return subject;
  }
  fail(program.name, " does not train ", name, hint(program, name, {}));
}

std::string hint(const Program& program, const std::string& word,
                 const std::vector<std::string>& known, const std::string& prefix) {
  if (contains(program.elsewhere, word)) return "; attention-lab has it";
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  return suggestion(word.substr(dashes), known, prefix);
}

int run_program(const Program& program, int argc, char** argv) {
  platform::occupy_closed_streams();
  take_failed_writes_for_errors();
  const std::string called = argc > 0 ? argv[0] : program.name;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    const int status = run_words(program, called, words);
    flush_output();
    return status;
  } catch (const ClosedPipe&) {
    return kClosedPipeStatus;
  } catch (const UsageError& error) {
    say(text("attention: error: ", with_option_names(error.what()), "\nSee '",
             help_of(program, words), "'."));
    return 2;
  } catch (const std::bad_alloc&) {
    say("attention: error: there is not enough memory for this; try a smaller model, smaller "
        "batches (--batch-tokens), shorter sentences or fewer --threads");
    return 1;
  } catch (const std::exception& error) {
    say(text("attention: error: ", with_option_names(error.what())));
    return 1;
  }
}

}  // namespace attn::app
