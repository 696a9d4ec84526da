// Runs the program as a user would, and keeps what it said.
#pragma once

#include <string>

#include "storage/json.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

namespace attn::test {

extern const std::string kExecutable;  // where it is

struct Outcome {
  int status = -1;  // the exit status; 128 + n if signal n ended it
  std::string out, err;
  std::string script = "";  // what was run
};

// Runs the program. arguments: as a shell reads them, redirections included. input: what standard
// input holds.
Outcome run(const std::string& arguments, const std::string& input = "");
// Runs a script of the shell, in which the program is "$attention".
Outcome run_script(const std::string& script, const std::string& input = "");

// A line of such a script: what follows may take so many bytes, and not all of the machine. Empty
// under sanitizers, which reserve more addresses than any limit leaves.
inline std::string limit_memory([[maybe_unused]] long long bytes) {
#ifdef ATTENTION_SANITIZED
  return "";
#else
  return "ulimit -v " + std::to_string(bytes / 1024) + "; ";
#endif
}

// Runs the program on a terminal, where `input` is typed; `out` is all that the terminal showed.
// Redirections in the arguments take effect.
Outcome run_on_terminal(const std::string& arguments, const std::string& input = "");

// The same outcome, of a command that must succeed.
Outcome worked(Outcome outcome);
// What such a command printed.
Json json_of(const Outcome& outcome);
// That it failed with this status, printed nothing, and said "attention: error: " and `message`.
void check_fails(const Outcome& outcome, const std::string& message, int status = 1);

// Options of the smallest model there is.
inline const std::string kTiny = " --d-model 16 --layers 1 --d-ff 32 --heads 2 --batch-tokens 64 ";

// The directory of a copy run of a few steps, made once: to be read, not written.
const std::string& small_run();
// Its copy, to be damaged.
void copy_run(const std::string& from, const std::string& to);

// How often the part is in the text.
std::size_t count(const std::string& text, const std::string& part);

}  // namespace attn::test
