#include "support/program.h"

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/format.h"
#include "storage/atomic_file.h"

namespace attn::test {

Outcome run_script(const std::string& script, const std::string& input) {
  const TemporaryDirectory directory;
  write_file(directory.path("in"), input);
  write_file(directory.path("script"),
             "attention=" + shell_word(kExecutable) + "\n" + script + "\n");
  const auto path = [&](const char* name) { return shell_word(directory.path(name)); };
  const std::string command =
      "sh " + path("script") + " < " + path("in") + " > " + path("out") + " 2> " + path("err");
  // Under nohup this signal is ignored, and the program would inherit that.
  std::signal(SIGHUP, SIG_DFL);
  const int status = std::system(command.c_str());
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(directory.path("out"));
  outcome.err = read_file(directory.path("err"));
  outcome.script = script;
  return outcome;
}

Outcome run(const std::string& arguments, const std::string& input) {
  return run_script("\"$attention\" " + arguments, input);
}

Outcome run_on_terminal(const std::string& arguments, const std::string& input) {
  // The program `script` (util-linux) makes the terminal, which does not show what is typed: that
  // would come anywhere between the answers.
  const std::string command = "stty -echo; " + shell_word(kExecutable) + " " + arguments;
  return run_script("TERM=xterm script -qec " + shell_word(command) + " /dev/null", input);
}

Outcome worked(Outcome outcome) {
  CAPTURE(outcome.script);
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  return outcome;
}

Json json_of(const Outcome& outcome) {
  return parse_json(worked(outcome).out, "output");
}

void check_fails(const Outcome& outcome, const std::string& message, int status) {
  CAPTURE(outcome.script);
  CAPTURE(message);
  CHECK(outcome.status == status);
  CHECK(outcome.out.empty());
  CHECK_MESSAGE(contains(outcome.err, "attention: error: "), outcome.err.substr(0, 1000));
  CHECK_MESSAGE(contains(outcome.err, message), outcome.err.substr(0, 1000));
}

const std::string& small_run() {
  static const TemporaryDirectory directory;
  static const std::string path = [] {
    const std::string made = directory.path("small");
    worked(run("train copy" + kTiny + "--label-smoothing 0.1 --steps 10 --quiet --out " + made));
    return made;
  }();
  return path;
}

void copy_run(const std::string& from, const std::string& to) {
  std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace attn::test
