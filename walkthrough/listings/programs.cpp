// The one file that needs POSIX.
#include "programs.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace listings {
namespace {

struct Process {
  std::vector<std::string> words;  // the program's path and its arguments
  fs::path folder;
  fs::path in = "/dev/null", out, err;
  bool portable = false;  // on the instruction set that every machine has
};

void redirect(const fs::path& path, int flags, int stream) {
  const int file = open(path.c_str(), flags, 0666);
  if (file < 0 || dup2(file, stream) < 0) _exit(127);
}

// "" if the process exits with 0, else how it ended.
std::string run(const Process& process) {
  std::vector<char*> arguments;
  for (const std::string& word : process.words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return "cannot start a process";
  if (child == 0) {
    if (chdir(process.folder.c_str()) != 0) _exit(127);
    redirect(process.in, O_RDONLY, 0);
    redirect(process.out, O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(process.err, O_WRONLY | O_CREAT | (process.err == process.out ? O_APPEND : O_TRUNC),
             2);
    setenv("NO_COLOR", "1", 1);
    setenv("LC_ALL", "C", 1);
    if (process.portable) setenv("ATTENTION_ISA", "portable", 1);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 127) return "could not be run (status 127)";
  return WEXITSTATUS(status) == 0 ? "" : "exits with " + std::to_string(WEXITSTATUS(status));
}

std::string last_lines(const fs::path& path) {
  constexpr std::ptrdiff_t most = 20;
  Lines lines = lines_of(read_file(path));
  if (static_cast<std::ptrdiff_t>(lines.size()) > most)
    lines.erase(lines.begin(), lines.end() - most);
  std::string result;
  for (const std::string& line : lines) result += "\n    " + line;
  return result;
}

// A chapter's tests are run among all others; here it has to name some that are there.
std::string script_of(Lines commands) {
  for (std::string& command : commands) {
    if (starts_with(command, "build/tests/")) command += " --count | grep 'filters: [1-9]'";
  }
  return join(commands, "\n");
}

}  // namespace

fs::path Programs::prepare(const std::string& folder, bool fresh) const {
  const fs::path path = fs::absolute(setup_.work) / folder;
  if (fresh) fs::remove_all(path);
  if (fs::exists(path)) return path;
  fs::create_directories(path);
  fs::create_directory_symlink(fs::absolute(setup_.build), path / "build");
  for (const char* name : {"data", "src", "tests", "walkthrough"}) {
    const fs::path target = fs::absolute(setup_.root) / name;
    if (fs::exists(target)) fs::create_directory_symlink(target, path / name);
  }
  return path;
}

const std::string& Programs::output(const std::string& command) {
  const auto known = outputs_.find(command);
  if (known != outputs_.end()) return known->second;

  Process process;
  process.words = words_of(command);
  std::string name = process.words.empty() ? "" : process.words[0];
  if (starts_with(name, "build/")) name.erase(0, 6);
  const auto program = setup_.programs.find(name);
  if (program == setup_.programs.end()) {
    std::string names;
    for (const auto& [other, path] : setup_.programs) names += " " + other;
    throw Error("'" + name + "' is none of the programs that chapters may run:" +
                (names.empty() ? " none is given (--program NAME=PATH)" : names));
  }
  if (!fs::exists(program->second)) {
    throw Error("the program " + program->second.string() + " does not exist: build it first");
  }
  process.words[0] = fs::absolute(program->second).string();
  const std::size_t count = process.words.size();
  if (count > 2 && process.words[count - 2] == "<") {
    process.in = process.words[count - 1];
    process.words.resize(count - 2);
  }

  process.folder = prepare("output", !prepared_);
  prepared_ = true;
  process.out = process.folder / "stdout";
  process.err = process.folder / "stderr";
  process.portable = true;
  const std::string failure = run(process);
  if (!failure.empty()) throw Error(command + " " + failure + last_lines(process.err));
  return outputs_[command] = read_file(process.out);
}

void Programs::run_block(const Lines& commands, const std::string& folder, bool fresh) {
  Process process;
  process.words = {"/bin/sh", "-e", "-c", script_of(commands)};
  process.folder = prepare(folder, fresh);
  process.out = process.err = process.folder / "commands.log";
  const std::string failure = run(process);
  if (!failure.empty()) throw Error("the block " + failure + last_lines(process.out));
}

}  // namespace listings
