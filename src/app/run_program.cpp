// The first word is the command; whatever one of them throws becomes a message.
#include <new>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/interrupt.h"

namespace attn::app {

namespace {

bool asks_for_help(const std::string& word) {
  return contains({"help", "--help", "-h"}, word);
}

const Command& find_command(const Program& program, const std::string& name) {
  std::vector<std::string> names{"help", "version"};
  for (const Command& command : program.commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  if (contains(program.elsewhere.commands, name)) {
    fail_usage("there is no command ", name, " here; ", program.elsewhere.program, " has it");
  }
  const bool option = name[0] == '-';
  fail_usage(option ? "a command must come first, not " : "there is no command ", name,
             suggestion(name, names));
}

int run_words(const Program& program, const std::string& called,
              const std::vector<std::string>& words) {
  if (words.empty() || words[0].empty()) {
    say(program_help(program));
    fail_usage("a command is missing");
  }
  if (asks_for_help(words[0])) {
    const bool of_command = words.size() > 1 && !asks_for_help(words[1]);
    const bool all = words.back() == "all";
    put(of_command ? command_help(find_command(program, words[1]), all) : program_help(program));
    return 0;
  }
  if (contains({"version", "--version", "-v", "-V"}, words[0])) {
    put(program.name + " " ATTENTION_VERSION "\n");
    return 0;
  }

  const Command& command = find_command(program, words[0]);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  for (const std::string& word : rest) {
    if (word == "--") break;
    if (word != "--help" && word != "-h") continue;
    put(command_help(command, &word != &rest.back() && *(&word + 1) == "all"));
    return 0;
  }
  const Arguments arguments(program, command, called, rest);
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
  const Elsewhere& elsewhere = program.elsewhere;
  fail(program.name, " does not train ", name,
       contains(elsewhere.subjects, name) ? "; " + elsewhere.program + " does" : "");
}

int run_program(const Program& program, int argc, char** argv) {
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
