// The command line of attention attend.
#include <doctest/doctest.h>

#include <sstream>

#include "app/terminal/printing.h"
#include "app/trace_json.h"
#include "storage/atomic_file.h"
#include "support/xml.h"

namespace attn::test {

TEST_SUITE_BEGIN("attend");

TEST_CASE("attend --json prints the weights that trace --json prints, and no others") {
  const std::string given = "--model " + small_run() + " \"a b c\"";
  const Json attended = json_of(run("attend --json " + given));
  const Json traced = trace_json("--only P " + given);
  CHECK(to_json(attended.at("attend")) == to_json(traced.at("trace")));
  REQUIRE(attended.members().size() == traced.members().size());
  REQUIRE(traced.members().size() == 1 + 3 * 2);
  for (const std::string& name : names_of(traced)) {
    CAPTURE(name);
    const Json &one = attended.at(name), &other = traced.at(name);
    for (const char* const member : {"shape", "rows", "columns", "data"}) {
      CHECK(to_json(one.at(member)) == to_json(other.at(member)));
    }
  }
  const Json& cross = attended.at("decoder.0.cross_attention.heads.1.P");
  CHECK(cross.at("attention").string() == "Encoder–decoder attention");
  CHECK(cross.at("layer").integer() == 0);
  CHECK(cross.at("head").integer() == 1);
  CHECK(cross.at("rows").items().front().string() == "<bos>");
  CHECK(cross.at("writes").items().back().string() == "<eos>");
  CHECK(attended.at("encoder.0.self_attention.heads.0.P").at("writes").type() == Json::Type::null);
}

TEST_CASE("attend draws in text of 80 columns, without colours where nobody sees them") {
  const Outcome outcome =
      worked(run("attend --model " + small_run() + " \"a b c d e f\" \"a b c\""));
  CHECK(outcome.err.empty());
  CHECK(outcome.out.rfind("a b c d e f → a b c\n", 0) == 0);
  CHECK(contains(outcome.out, "\nEncoder–decoder attention, layer 0\n"));
  CHECK(contains(outcome.out, "  <eos>  "));
  CHECK(!contains(outcome.out, "\x1b"));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) CHECK(display_width(line) <= 80);

  const std::string one = "attend --layer 0 --head 1 --model " + small_run() + " \"a b c\"";
  CHECK(count(run(one).out, "head 1\n") == 3);
  CHECK(count(run(one).out, "head 0\n") == 0);
}

TEST_CASE("on a terminal attend is in colour, unless NO_COLOR is set") {
  const std::string command = "attend --model " + small_run() + " \"a b c\"";
  CHECK(contains(run_on_terminal(command).out, "\x1b[35m"));
  const std::string plain = shell_word(kExecutable) + " " + command;
  const Outcome outcome =
      run_script("NO_COLOR=1 TERM=xterm script -qec " + shell_word(plain) + " /dev/null");
  CHECK(contains(outcome.out, "Encoder–decoder attention"));
  CHECK(!contains(outcome.out, "\x1b["));
}

TEST_CASE(
    "a sentence does nothing to a terminal, and is no mistake in the picture that --svg writes") {
  const TemporaryDirectory directory;
  const std::string path = directory.path("heads.svg");
  const std::string given =
      " --model " + small_run() + " \"a $(printf '\\033[31m\\001\\302\\233m') _{b\"";
  for (const std::string& command : {"attend" + given, "trace" + given}) {
    CAPTURE(command);
    const Outcome outcome = worked(run(command));
    CHECK(contains(outcome.out, "\\u001b[31m\\u0001\\u009bm") == (command[0] == 'a'));
    CHECK(contains(outcome.err, "know the word \"\\u001b[31m\\u0001\\u009bm\", and reads <unk>"));
    CHECK(!contains(outcome.out, "\x1b"));
    CHECK(!contains(outcome.out, "\x01"));
    CHECK(!contains(outcome.out, "\xC2\x9B"));
  }
  CHECK(worked(run("attend" + given + " --svg " + path)).out.empty());
  CHECK(contains(read_file(path), "Decoder self-attention, layer 0"));
  CHECK(contains(read_file(path), "a \\u001b[31m"));
  CHECK(xml_problem(read_file(path)) == "");
}

TEST_SUITE_END();

}  // namespace attn::test
