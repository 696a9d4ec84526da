#include <doctest/doctest.h>

#include <filesystem>
#include <limits>

#include "app/program.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"

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

void check_fails(const Outcome& outcome, const std::string& message) {
  CHECK(outcome.status == 1);
  CHECK(outcome.out.empty());
  CHECK_MESSAGE(contains(outcome.err, "attention: error: "), outcome.err);
  CHECK_MESSAGE(contains(outcome.err, message), outcome.err);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}
}  // namespace

TEST_CASE("a directory without a run, or none at all, is named by every command") {
  const TemporaryDirectory directory;
  write_file(directory.path("file"), "a\n");
  const std::string file = directory.path("file"), none = directory.path("none");
  for (const std::string& command :
       {std::string("translate --model "), std::string("inspect --model "),
        std::string("export --pytorch x --model "),
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
                foreign + " is not a model of this program; attention import reads PyTorch's");
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

TEST_CASE("training.safetensors alone is enough to translate and to resume") {
  const Copy copy;
  const std::string answer = copy.translate().out;
  for (const char* name : {"model.safetensors", "tokenizer.txt", "log.tsv"}) {
    fs::remove(copy.file(name));
  }
  CHECK(copy.translate().out == answer);
  CHECK(copy.resume().status == 0);
  CHECK(fs::exists(copy.file("model.safetensors")));
  CHECK(fs::exists(copy.file("tokenizer.txt")));
  CHECK(fs::exists(copy.file("log.tsv")));
}

TEST_CASE("files that were cut short are refused, wherever the cut is") {
  for (const double part : {0.0, 0.0001, 0.01, 0.5, 0.9999}) {
    CAPTURE(part);
    const Copy copy;
    for (const char* name : {"model.safetensors", "training.safetensors"}) {
      const auto size = static_cast<double>(fs::file_size(copy.file(name)));
      fs::resize_file(copy.file(name), static_cast<std::uintmax_t>(part * size));
    }
    check_fails(copy.translate(), copy.file("model.safetensors"));
    check_fails(copy.resume(), copy.file("training.safetensors"));
  }
}

TEST_CASE("a configuration that does not fit the weights is refused") {
  struct Change {
    const char *from, *to;
  };
  for (const Change& change : {Change{"\"config.layers\":\"1\"", "\"config.layers\":\"9\""},
                               Change{"\"config.layers\":\"1\"", "\"config.layers\":\"-\""},
                               Change{"\"config.heads\":\"2\"", "\"config.heads\":\"4\""},
                               Change{"\"config.norm\":\"post\"", "\"config.norm\":\"past\""},
                               Change{"\"config.d_ff\":\"32\"", "\"config.d_fg\":\"32\""}}) {
    CAPTURE(change.to);
    const Copy copy;
    const std::string path = copy.file("model.safetensors");
    write_file(path, replaced(read_file(path), change.from, change.to));
    check_fails(copy.translate(), path);
  }
}

TEST_CASE("a name in a file does nothing to the terminal") {
  const Copy copy;
  const std::string path = copy.file("model.safetensors");
  write_file(path, replaced(read_file(path), "\"attention 1\"", "\"\\u001b[2J\xC2\x9B\""));
  const Outcome outcome = copy.translate();
  check_fails(outcome, "the format is '\\u001b[2J\\u009b'");
  CHECK(outcome.err.find('\x1b') == outcome.err.npos);
}

TEST_CASE("weights that are no numbers are refused") {
  const Copy copy;
  const std::string path = copy.file("model.safetensors");
  TensorFile file = read_safetensors(path);
  file.metadata.erase("checksum");
  file.tensors.begin()->second[0] = std::numeric_limits<Real>::quiet_NaN();
  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : file.tensors) tensors.push_back({name, &tensor});
  write_safetensors(path, tensors, file.metadata);
  check_fails(copy.translate(), "not finite");
}

TEST_CASE("one changed byte among the numbers of a run is noticed, and the file named") {
  for (const char* name : {"model.safetensors", "training.safetensors"}) {
    const Copy copy;
    const std::string path = copy.file(name), good = read_file(path);
    const bool is_model = name == std::string("model.safetensors");
    for (const double part : {0.3, 0.6, 0.999}) {
      std::string contents = good;
      char& byte = contents[static_cast<std::size_t>(part * static_cast<double>(good.size()))];
      byte = static_cast<char>(byte ^ 1);
      write_file(path, contents);
      CAPTURE(part);
      check_fails(is_model ? copy.translate() : copy.resume(), path + ": the file is damaged");
    }
  }
}

TEST_CASE("a vocabulary that does not belong to the model is refused") {
  const Copy copy;
  const std::string path = copy.file("tokenizer.txt");
  const std::string good = read_file(path);
  const auto refused = [&](const std::string& contents) {
    write_file(path, contents);
    check_fails(copy.translate(), path);
  };
  refused(replaced(good, "\n29\n", "\n30\n"));
  refused(replaced(replaced(good, "\n29\n", "\n28\n"), "z\n", ""));
  refused(replaced(good, "\nz\n", "\na\n"));
  refused(replaced(good, "words", "letters"));
  refused(good.substr(0, good.size() - 1));
  refused("");
  fs::remove(path);
  fs::create_directory(path);
  check_fails(copy.translate(), path);
}

TEST_CASE("no command writes over a file of a run, by whatever path") {
  const Copy copy;
  const std::string checkpoints = copy.file("checkpoints"), link = copy.directory.path("link");
  fs::create_directory(checkpoints);
  fs::copy(copy.file("model.safetensors"), checkpoints + "/step-00000010.safetensors");
  write_file(copy.directory.path("text"), "a b\nc d\n");
  write_file(copy.directory.path("source"), "3 2\n");
  write_file(copy.directory.path("target"), "1 3 2\n");
  const auto lines = " --source " + copy.directory.path("text") + " --vocabulary 300 --out ";
  const auto ids = " --source-ids " + copy.directory.path("source") + " --target-ids " +
                   copy.directory.path("target") + " --out ";
  const auto check_refused = [&](const std::string& command, const std::string& output) {
    CAPTURE(command);
    CAPTURE(output);
    const std::string before = fs::exists(output) ? read_file(output) : "";
    const Outcome outcome = run(command + output);
    CHECK(outcome.status == 2);
    CHECK_MESSAGE(contains(outcome.err, "would replace a file"), outcome.err);
    CHECK((fs::exists(output) ? read_file(output) : "") == before);
  };
  const std::string checkpoint = checkpoints + "/step-00000010.safetensors";
  const std::vector<std::string> commands{
      "attend --model " + copy.path + " \"a b\" --svg ",
      "export --model " + checkpoint + " --pytorch ",
      "forward --model " + checkpoint + ids,
      "tokenizer train" + lines,
  };
  for (const std::string& command : commands) {
    for (const char* file : {"training.safetensors", "model.safetensors", "tokenizer.txt",
                             "log.tsv", "lock", "checkpoints/../curves.svg"}) {
      check_refused(command, copy.file(file));
    }
    for (const std::string& file : {checkpoint, checkpoints + "/step-00000020.safetensors",
                                    copy.file("training.safetensors")}) {
      fs::remove(link);
      fs::create_symlink(file, link);
      check_refused(command, file);
      check_refused(command, link);
    }
  }
  fs::remove(copy.file("training.safetensors"));  // as of a model that was imported
  check_refused(commands[0], copy.file("log.tsv"));
  CHECK(run(commands[0] + copy.file("heads.svg")).status == 0);
  CHECK(run(commands[0] + copy.file("heads.svg")).status == 0);
  CHECK(run(commands[3] + copy.directory.path("tokenizer.txt")).status == 0);
}

TEST_SUITE_END();

}  // namespace attn::test
