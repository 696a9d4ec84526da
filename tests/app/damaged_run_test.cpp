#include <doctest/doctest.h>

#include <filesystem>

#include "storage/atomic_file.h"
#include "support/program.h"
#include "support/safetensors_bytes.h"

namespace attn::test {

namespace fs = std::filesystem;

TEST_SUITE_BEGIN("damaged runs");

namespace {
// A copy of the small run.
struct Copy {
  const TemporaryDirectory directory;
  std::string path = directory.path("run");
  Copy() { copy_run(small_run(), path); }
  std::string file(const std::string& name) const { return path + "/" + name; }
  Outcome translate() const { return run("translate --model " + path, "a\n"); }
  Outcome resume() const { return run("train --resume " + path + " --steps 11 --quiet"); }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a directory without a run, or none at all, is named by every command") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("file", "a\n"), none = directory.path("none");
  for (const std::string& command :
       {std::string("translate --model "), std::string("inspect --model "),
        "evaluate --source " + file + " --target " + file + " --model ",
        "forward --source-ids " + file + " --target-ids " + file + " --out x --model "}) {
    CAPTURE(command);
    check_fails(run(command + none), none + ": there is no such directory");
    check_fails(run(command + directory.path()), "model.safetensors");
    check_fails(run(command + file), file);
  }
  check_fails(run("train --resume " + directory.path()), "there is nothing to resume in");
  check_fails(run("train --resume " + none), "there is nothing to resume in " + none);
}

TEST_CASE(
    "a file where a run belongs, and a file of another program, are answered with what to do") {
  const Copy copy;
  check_fails(run("train --resume " + copy.file("training.safetensors")),
              "training.safetensors is a file; to resume a run, name its directory\n");
  const TemporaryDirectory directory;
  fs::copy(copy.file("model.safetensors"), directory.path("step.safetensors"));
  check_fails(run("inspect --model " + directory.path()),
              "is missing; name the directory of a run, or a .safetensors file\n");
  const std::string foreign = directory.path("foreign.safetensors");
  const Tensor weights = Tensor::zeros({2, 3});
  for (const Metadata& metadata : {Metadata{}, Metadata{{"format", "pt"}}}) {
    write_safetensors(foreign, {{"fc.weight", &weights}}, metadata);
    check_fails(run("inspect --model " + foreign),
                foreign + " is not a model of this program; PyTorch's weights have to be imported");
  }
}

TEST_CASE("what cannot be looked at is not called missing") {
  const TemporaryDirectory directory;
  const std::string loop = directory.path("loop"), run_of_loops = directory.path("run");
  fs::create_symlink("loop", loop);
  fs::create_directory(run_of_loops);
  fs::create_symlink("model.safetensors", run_of_loops + "/model.safetensors");
  check_fails(run("inspect --model " + loop), "cannot read " + loop + ": Too many levels");
  check_fails(run("inspect --model " + run_of_loops),
              "cannot read " + run_of_loops + "/model.safetensors: Too many levels");
  check_fails(run("train --resume " + loop), loop + "/lock: Too many levels");
}

TEST_CASE("a name in a file does nothing to the terminal") {
  const Copy copy;
  const std::string path = copy.file("model.safetensors");
  alter(path, [](TensorFile& file) { file.metadata["format"] = "\x1b[2J\xC2\x9B"; });
  const Outcome outcome = copy.translate();
  check_fails(outcome, "the format is '\\u001b[2J\\u009b'");
  CHECK(outcome.err.find('\x1b') == outcome.err.npos);
}

TEST_CASE("a context that no language model has is refused") {
  for (const char* context : {"0", "1", "4097", "9223372036854775807"}) {
    const Copy copy;
    alter(copy.file("model.safetensors"),
          [&](TensorFile& file) { file.metadata["context"] = context; });
    check_fails(run("translate --model " + copy.path),
                "a context of " + std::string(context) + " in the metadata, expected 2 to 4096");
  }
}

TEST_CASE("one changed setting or count of a run is noticed, and the file named") {
  const Copy copy;
  const auto refused = [&](const char* name, const std::string& from, const std::string& to) {
    const std::string path = copy.file(name), good = read_file(path);
    write_file(path, replaced(good, from, to));
    const bool is_model = name == std::string("model.safetensors");
    CAPTURE(to);
    check_fails(is_model ? copy.translate() : copy.resume(), path + ": the file is damaged");
    write_file(path, good);
  };
  refused("model.safetensors", R"("config.label_smoothing":"0.1")",
          R"("config.label_smoothing":"0.3")");
  refused("model.safetensors", R"("config.norm":"post")", R"("config.norm":"pre" )");
  refused("training.safetensors", R"("state.step":"10")", R"("state.step":"11")");
  refused("training.safetensors", R"("training.seed":"1")", R"("training.seed":"2")");
  CHECK(copy.translate().status == 0);
  CHECK(copy.resume().status == 0);
}

TEST_CASE("the vocabulary of another model is refused wherever it is read, though of its size") {
  const Copy copy;
  const std::string path = copy.file("tokenizer.txt"), good = read_file(path);
  const std::string text = copy.directory.file("text", "a b\nc d\n");
  const std::string average = copy.directory.path("average");
  const std::vector<std::string> commands{
      "translate --model " + copy.path,
      "translate --model " + copy.file("model.safetensors"),
      "evaluate --model " + copy.path + " --source " + text + " --target " + text,
      "attend \"a b\" --model " + copy.path,
      "trace \"a b\" --model " + copy.path,
      "average " + copy.path + " --out " + average,
  };
  write_file(path, replaced(replaced(good, "\na\n", "\nA\n"), "\nb\n", "\na\n"));
  for (const std::string& command : commands) {
    CAPTURE(command);
    check_fails(run(command), path + " is not the tokenizer that ");
  }
  // The mean has it with it.
  const std::string answer = run("translate --model " + small_run(), "a\n").out;
  write_file(path, good);
  CHECK(run(commands[0], "a\n").out == answer);
  worked(run(commands.back()));
  CHECK(run("translate --model " + average, "a\n").out == answer);
  write_file(average + "/tokenizer.txt", replaced(good, "\na\n", "\nA\n"));
  check_fails(run("translate --model " + average), "average/tokenizer.txt is not the tokenizer");
}

TEST_CASE("a pipe or a device where a file of a run belongs is refused, not waited for") {
  for (const std::string name :
       {"model.safetensors", "training.safetensors", "tokenizer.txt", "log.tsv"}) {
    CAPTURE(name);
    const Copy copy;
    const std::string path = copy.file(name);
    fs::remove(path);
    worked(run_script("mkfifo " + path));
    const bool resumed = name == "training.safetensors" || name == "log.tsv";
    const std::string command =
        resumed ? "train --quiet --steps 11 --resume " : "translate --model ";
    const auto check_refused = [&] {
      check_fails(run_script("echo a | timeout 20 \"$attention\" " + command + copy.path),
                  "cannot read " + path + ": it is a pipe or a device; name a file instead");
    };
    check_refused();
    if (!fs::exists("/dev/zero")) continue;
    fs::remove(path);
    fs::create_symlink("/dev/zero", path);
    check_refused();
  }
}

TEST_CASE("text may come through a pipe wherever a corpus is read") {
  const Copy copy;
  write_file(copy.directory.path("text"), "a b\nc d\n");
  const std::string begin = "cd " + copy.directory.path() + "; mkfifo one two; " +
                            "cat text > one & cat text > two & timeout 60 \"$attention\" ";
  for (const std::string& command :
       {"evaluate --json --source one --target two --model " + copy.path,
        std::string("tokenizer train --vocabulary 270 --source one --target two --out new"),
        std::string("train text --steps 1 --quiet --d-model 8 --heads 2 --d-ff 8 --layers 1 "
                    "--vocabulary 270 --hold-out 0 --source one --target two --out trained")}) {
    CAPTURE(command);
    worked(run_script(begin + command));
    fs::remove(copy.directory.path("one"));
    fs::remove(copy.directory.path("two"));
  }
}

TEST_CASE("no command that writes a file writes over one of a run") {
  const Copy copy;
  const std::string ids = copy.directory.file("ids", "1 3 2\n"), log = copy.file("log.tsv");
  const std::string before = read_file(log);
  for (const std::string& command :
       {"attend \"a b\" --model " + copy.path + " --svg ",
        "forward --model " + copy.path + " --source-ids " + ids + " --target-ids " + ids +
            " --out ",
        "tokenizer train --vocabulary 300 --source " + ids + " --out "}) {
    CAPTURE(command);
    check_fails(run(command + log), "would replace a file of a run", 2);
    CHECK(read_file(log) == before);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
