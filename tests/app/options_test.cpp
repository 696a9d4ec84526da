#include "app/options.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "storage/atomic_file.h"
#include "support/temporary_directory.h"

namespace attn::test {

using app::Arguments;
using app::Command;
using app::UsageError;

TEST_SUITE_BEGIN("command line");

namespace {
const app::Program kProgram;

const Command& example() {
  static const Command made = [] {
    Command command;
    command.name = "example";
    command.most_words = app::kAnyNumber;
    command.options = {{"size", "N"}, {"loud", ""}};
    return command;
  }();
  return made;
}
}  // namespace

TEST_CASE("--name value and --name=value are the same, in any place") {
  for (const auto& words : {std::vector<std::string>{"a", "--size", "3", "--loud", "b"},
                            {"--loud", "--size=3", "a", "b"}}) {
    const Arguments arguments(kProgram, example(), "program", words);
    CHECK(arguments.value("size") == "3");
    CHECK(arguments.number_or("size", 7, 0, 9) == 3);
    CHECK(arguments.has("loud"));
    CHECK(arguments.operands == std::vector<std::string>{"a", "b"});
  }
}

TEST_CASE("what was not given has the value that the caller names") {
  const Arguments arguments(kProgram, example(), "program", {});
  CHECK(!arguments.has("size"));
  CHECK(arguments.number_or("size", 7, 0, 9) == 7);
  CHECK(arguments.value_or("size", "none") == "none");
}

TEST_CASE("a value may begin with one dash, contain = and be an empty-looking path") {
  CHECK(Arguments(kProgram, example(), "p", {"--size", "-3"}).value("size") == "-3");
  CHECK(Arguments(kProgram, example(), "p", {"--size=a=b"}).value("size") == "a=b");
  CHECK(Arguments(kProgram, example(), "p", {"--size=--loud"}).value("size") == "--loud");
}

TEST_CASE("a path that begins with a dash can be copied from a message") {
  Command command = example();
  command.options = {{"out", "DIR"}, {"source", "F"}, {"alpha", "X"}};
  const Arguments arguments(kProgram, command, "p", {"--out=--x", "--source", "-y", "--alpha=-1"});
  CHECK(arguments.value("out") == "./--x");
  CHECK(arguments.value("source") == "./-y");
  CHECK(arguments.value("alpha") == "-1");
}

TEST_CASE("no command writes over a file that it reads, by whatever path") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("file"), other = directory.path("other");
  write_file(file, "mine");
  write_file(other, "mine too");
  const auto check = [&](const std::string& out, const std::string& in) {
    Command command = example();
    command.options = {{"in", "F"}, {"out", "F"}, {"and", "F"}};
    Arguments(kProgram, command, "p", {"--in", in, "--out", out}).output("out");
  };
  check(other, file);
  check(directory.path("new"), file);
  check(file, directory.path("missing"));
  check(directory.path("new"), directory.path());
  const std::string around = std::filesystem::path(directory.path()).filename().string();
  for (const std::string& same :
       {file, directory.path("./file"), directory.path("../" + around + "/file")}) {
    CAPTURE(same);
    CHECK_THROWS_WITH_AS(check(same, file),
                         doctest::Contains("would replace a file that --in reads"), UsageError);
    CHECK_THROWS_AS(check(file, same), UsageError);
  }
}

TEST_CASE("a setting in a message of the library's is an option in the program's") {
  CHECK(app::with_option_names("try `d_model` or `clip` 1") == "try --d-model or --clip 1");
  CHECK(app::with_option_names("`layers` of a`b") == "--layers of a`b");
  CHECK(app::with_option_names("a`b and `A`") == "a`b and `A`");
}

TEST_CASE("after -- nothing is an option") {
  const Arguments arguments(kProgram, example(), "p", {"--loud", "--", "--size", "--"});
  CHECK(arguments.operands == std::vector<std::string>{"--size", "--"});
}

TEST_SUITE_END();

}  // namespace attn::test
