// Runs the exercises' tests.
//
//     PROGRAM NAME [ANSWERS]           checks one; exit code 10 if it is solved: an exercise that
//                                      ends the program itself will hardly take that one
//     PROGRAM --expect solved|unsolved [DIRECTORY]
//                                      all must be (paper: with the answers of DIRECTORY/NAME.md)
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "support/checks.h"

namespace exercises {
namespace {

struct Entry {
  std::function<void(Checks&)> code;
  std::function<void(Answers&)> paper;
};

std::map<std::string, Entry>& all() {
  static std::map<std::string, Entry> entries;
  return entries;
}

const Checks* running = nullptr;  // what crashed, if the program does

const char* reason(int signal) {
  if (signal == SIGALRM) return "It did not end within a minute: does every loop come to its end?";
  if (signal == SIGFPE) return "The program crashed: an integer was divided by 0.";
  if (signal == SIGABRT) return "The program crashed: it called abort, or memory was damaged.";
  return "The program crashed. Is an index outside its tensor?";
}

// A crash or an endless loop: names the check that was running. Only calls that a signal may make.
void explain_signal(int signal) {
  const char* const claim = running ? running->claimed().c_str() : "";
  for (const char* words : {"  WRONG  ", claim, "\n         ", reason(signal), "\n"}) {
    if (write(STDOUT_FILENO, words, std::strlen(words)) < 0) break;
  }
  _exit(1);
}

void explain_signals() {
  static char stack[1 << 16];  // its own, for endless recursion has used up the other
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = explain_signal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM}) {
    sigaction(signal, &action, nullptr);
  }
}

bool solved(const Entry& entry, const std::string& answers_path) {
  if (entry.paper) {
    Answers answers = Answers::read(answers_path);
    entry.paper(answers);
    return answers.all_right();
  }
  Checks checks;
  running = &checks;
  try {
    entry.code(checks);
    checks.done();
    return true;
  } catch (const NotYet& error) {
    std::printf("         %s\n", error.what());
  } catch (const std::exception& error) {
    std::printf("  WRONG  %s\n         %s\n", checks.claimed().c_str(), error.what());
  }
  return false;
}

int check_all(bool expected, const std::string& directory) {
  int surprises = 0;
  for (const auto& [name, entry] : all()) {
    std::printf("%s\n", name.c_str());
    if (solved(entry, directory + "/" + name + ".md") == expected) continue;
    std::printf("%s: should %s\n", name.c_str(), expected ? "pass" : "fail, and passes");
    ++surprises;
  }
  std::printf("exercises: %zu, surprises: %d\n", all().size(), surprises);
  return surprises == 0 && !all().empty() ? 0 : 1;
}

int run(const std::vector<std::string>& words) {
  const std::string last = words.size() > 1 ? words.back() : "";
  if (words.size() > 1 && words[0] == "--expect") {
    return check_all(words[1] == "solved", words.size() > 2 ? last : "/nowhere");
  }
  const auto found = words.empty() ? all().end() : all().find(words[0]);
  if (found == all().end()) {
    std::fprintf(stderr, "there is no such exercise in this program\n");
    return 2;
  }
  return solved(found->second, last) ? 10 : 1;
}

}  // namespace

Exercise::Exercise(const std::string& name, std::function<void(Checks&)> check) {
  all()[name].code = std::move(check);
}
Exercise::Exercise(const std::string& name, std::function<void(Answers&)> check) {
  all()[name].paper = std::move(check);
}

}  // namespace exercises

int main(int argc, char** argv) {
  using namespace exercises;
  explain_signals();
  alarm(60);  // what runs for so long never ends
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
  return run({argv + 1, argv + argc});
}
