#include "app/options.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "storage/atomic_file.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

namespace attn::test {

namespace fs = std::filesystem;
using app::Arguments;
using app::Command;

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

TEST_CASE("what was not given has the value that the caller names; after -- nothing is an option") {
  const Arguments arguments(kProgram, example(), "program", {"--loud", "--", "--size", "--"});
  CHECK(arguments.operands == std::vector<std::string>{"--size", "--"});
  CHECK(!arguments.has("size"));
  CHECK(arguments.number_or("size", 7, 0, 9) == 7);
  CHECK(arguments.value_or("size", "none") == "none");
}

TEST_CASE("a value may begin with dashes and contain =; such a path can be copied from a message") {
  Command command = example();
  command.options = {{"out", "DIR"}, {"source", "F"}, {"alpha", "X"}, {"size", "N"}};
  const Arguments arguments(kProgram, command, "p",
                            {"--out=--x", "--source", "-y", "--alpha=-1", "--size=a=b"});
  CHECK(arguments.value("out") == "./--x");
  CHECK(arguments.value("source") == "./-y");
  CHECK(arguments.value("alpha") == "-1");
  CHECK(arguments.value("size") == "a=b");
}

TEST_CASE("no command writes over a file that it reads, or over one of a run, by whatever path") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("file"), run = directory.path("run"),
                    link = directory.path("link"), model = directory.path("model");
  const std::string around = fs::path(directory.path()).filename().string();
  fs::create_directories(run + "/checkpoints");
  fs::create_directories(model + "/checkpoints");
  for (const std::string& name :
       {file, directory.path("other"), run + "/lock", run + "/tokenizer.txt",
        model + "/model.safetensors", model + "/mine", model + "/checkpoints/mine",
        model + "/tokenizer.txt"}) {
    write_file(name, "mine");
  }
  // Why an option's file may not be written while another's is read; empty if it may.
  const auto refusal = [](const std::string& out, const std::string& in, const char* read = "in") {
    Command command = example();
    command.options = {{"in", "F"}, {"out", "F"}, {"and", "F"}, {"model", "DIR"}};
    const Arguments given(kProgram, command, "p", {text("--", read), in, "--out", out});
    return thrown_by([&] { given.output("out"); });
  };
  CHECK(refusal(directory.path("other"), file) == "");
  CHECK(refusal(directory.path("new"), file) == "");
  CHECK(refusal(file, directory.path("missing")) == "");
  CHECK(refusal(directory.path("new"), directory.path()) == "");
  for (const std::string& same :
       {file, directory.path("./file"), directory.path("../" + around + "/file")}) {
    CAPTURE(same);
    CHECK(contains(refusal(same, file), "would replace a file that --in reads"));
    CHECK(contains(refusal(file, same), "would replace a file that --in reads"));
  }

  // Of a model, be it of a run or not, its weights and its vocabulary are read.
  const std::string mine = model + "/mine", checkpoint = model + "/checkpoints/mine";
  const std::string of_both = "would replace a file that --model reads";
  CHECK(contains(refusal(model + "/model.safetensors", model, "model"), of_both));
  CHECK(contains(refusal(mine, mine, "model"), of_both));
  for (const std::string& read : {model, mine, checkpoint}) {
    CAPTURE(read);
    CHECK(contains(refusal(model + "/tokenizer.txt", read, "model"), of_both));
  }
  CHECK(refusal(mine, model, "model") == "");
  // A copy that has no more than these is somebody's model as well.
  CHECK(contains(refusal(model + "/model.safetensors", file), "would replace a file of a run"));
  CHECK(contains(refusal(model + "/tokenizer.txt", file), "would replace a file of a run"));

  const auto check_of_a_run = [&](const std::string& out) {
    CAPTURE(out);
    CHECK(contains(refusal(out, file), "would replace a file of a run"));
  };
  for (const char* name : {"training.safetensors", "model.safetensors", "tokenizer.txt", "log.tsv",
                           "lock", "checkpoints/../curves.svg", "checkpoints/new"}) {
    check_of_a_run(run + "/" + name);
    fs::remove(link);
    fs::create_symlink(run + "/" + name, link);
    check_of_a_run(link);
  }
  // A name alone, where the run's checkpoints are.
  const fs::path before = fs::current_path();
  fs::current_path(run + "/checkpoints");
  check_of_a_run("new");
  fs::current_path(before);
  // Kept on another disk, it is one by its name; without a lock, its run is one by its state.
  fs::create_symlink(directory.path("other"), run + "/training.safetensors");
  check_of_a_run(run + "/training.safetensors");
  fs::remove(run + "/lock");
  check_of_a_run(run + "/log.tsv");
  CHECK(refusal(run + "/heads.svg", file) == "");
  fs::remove(run + "/training.safetensors");
  CHECK(refusal(run + "/log.tsv", file) == "");
}

TEST_CASE("a setting in a message of the library's is an option in the program's") {
  CHECK(app::with_option_names("try `d_model` or `clip` 1") == "try --d-model or --clip 1");
  CHECK(app::with_option_names("`layers` of a`b") == "--layers of a`b");
  CHECK(app::with_option_names("a`b and `A`") == "a`b and `A`");
}

TEST_SUITE_END();

}  // namespace attn::test
