#include "app/terminal/console.h"

#include <doctest/doctest.h>

#include "storage/atomic_file.h"
#include "support/program.h"
#include "tasks/task.h"

namespace attn::test {

TEST_SUITE_BEGIN("status line");

namespace {
// Enough lines for several batches, none of them twice.
std::string many_lines() {
  std::string lines;
  for (const TextPair& pair : find_task("copy").test_set()) lines += pair.source + '\n';
  return lines;
}
}  // namespace

TEST_CASE("long work is counted on a terminal, and silent in a pipe") {
  const TemporaryDirectory directory;
  const std::string lines = directory.file("lines", many_lines());
  const std::string out = " > " + directory.path("out");
  const std::string translate = "translate --beam 1 --max-extra 1 --model " + small_run();
  const std::string evaluate =
      "evaluate --model " + small_run() + " --source " + lines + " --target " + lines;

  const Outcome file = run_on_terminal(translate + " < " + lines + out);
  CHECK(contains(file.out, "\rtranslating: line "));
  CHECK(file.out.substr(file.out.size() - 4) == "\r\x1b[K");  // nothing of it stays
  CHECK(read_file(directory.path("out")) == run(translate, many_lines()).out);
  CHECK(contains(run_on_terminal(evaluate).out, "\rpredicting: line "));
  CHECK(contains(run_on_terminal(evaluate).out, " of 1,000\x1b[K"));

  // Nothing between the translations if they are on the terminal themselves.
  CHECK(!contains(run_on_terminal(translate + " < " + lines).out, "translating"));
  CHECK(run(translate, many_lines()).err.empty());
  CHECK(run(evaluate).err.empty());
}

TEST_CASE("somebody who types is told what, and answered line by line") {
  const Outcome typed = run_on_terminal("translate --model " + small_run(), "a\nb c\n");
  CHECK(typed.status == 0);
  CHECK(contains(typed.out, "Type letters with spaces between them, such as h e l l o, and press"));
  CHECK(contains(typed.out, "Ctrl-D on a new line ends"));
  const std::string a = run("translate --model " + small_run(), "a\n").out;
  const std::string bc = run("translate --model " + small_run(), "b c\n").out;
  const auto shown = [](const std::string& line) {  // as a terminal ends it
    return "> " + line.substr(0, line.size() - 1) + "\r\n";
  };
  CHECK(contains(typed.out, shown(a) + shown(bc) + "> \r\n"));
  CHECK(!contains(run("translate --model " + small_run(), "a\n").err, "Type"));
}

TEST_SUITE_END();

}  // namespace attn::test
