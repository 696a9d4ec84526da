// The first word is the command; whatever one of them throws becomes a message.
#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/interrupt.h"
#include "base/platform.h"

namespace attn::app {

namespace {

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
  use_threads(arguments);
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
        "batches (--batch-tokens) or shorter sentences");
    return 1;
  } catch (const std::exception& error) {
    say(text("attention: error: ", with_option_names(error.what())));
    return 1;
  }
}

}  // namespace attn::app
