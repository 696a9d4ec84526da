// The program: finds the command, runs it, and turns what went wrong into a message and an exit
// status: 1 for what is wrong with files or data, 2 for what is wrong with the command line; 141,
// without a message, if nobody reads the output any more.
#include <new>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/interrupt.h"
#include "lab/laboratory.h"

namespace attn::app {

namespace {

bool asks_for_help(const std::string& word) {
  return contains({"help", "--help", "-h"}, word);
}

const Command& find_command(const std::vector<Command>& commands, const std::string& name) {
  std::vector<std::string> names{"help", "version"};
  for (const Command& command : commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  const bool option = name[0] == '-';
  fail_usage(option ? "a command must come first, not " : "there is no command ", name,
             suggestion(name, names));
}

int run_program(const std::string& program, const std::vector<std::string>& words) {
  const std::vector<Command> commands = all_commands();
  if (words.empty() || words[0].empty()) {
    say(program_help(commands));
    fail_usage("a command is missing");
  }
  if (asks_for_help(words[0])) {
    const bool of_command = words.size() > 1 && !asks_for_help(words[1]);
    const bool all = words.back() == "all";
    put(of_command ? command_help(find_command(commands, words[1]), all) : program_help(commands));
    return 0;
  }
  if (contains({"version", "--version", "-v", "-V"}, words[0])) {
    put("attention " ATTENTION_VERSION "\n");
    return 0;
  }

  const Command& command = find_command(commands, words[0]);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  for (const std::string& word : rest) {
    if (word == "--") break;
    if (word != "--help" && word != "-h") continue;
    put(command_help(command, &word != &rest.back() && *(&word + 1) == "all"));
    return 0;
  }
  const Arguments arguments(command, program, rest);
  use_threads(arguments);
  return command.run(arguments);
}

// Where the user finds out more: the command's help if there is such a command.
std::string help_of(const std::vector<std::string>& words) {
  for (const Command& command : all_commands()) {
    if (!words.empty() && command.name == words[0]) return "attention " + words[0] + " --help";
  }
  return "attention --help";
}

}  // namespace
}  // namespace attn::app

int main(int argc, char** argv) {
  using namespace attn;
  using namespace attn::app;
  take_failed_writes_for_errors();
  open_laboratory();
  const std::string program = argc > 0 ? argv[0] : "attention";
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    const int status = run_program(program, words);
    flush_output();
    return status;
  } catch (const ClosedPipe&) {
    return kClosedPipeStatus;
  } catch (const UsageError& error) {
    say(text("attention: error: ", error.what(), "\nSee '", help_of(words), "'."));
    return 2;
  } catch (const std::bad_alloc&) {
    say("attention: error: there is not enough memory for this; try a smaller model, smaller "
        "batches (--batch-tokens) or shorter sentences");
    return 1;
  } catch (const std::exception& error) {
    say(text("attention: error: ", error.what()));
    return 1;
  }
}
