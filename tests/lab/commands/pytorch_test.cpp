// attention export and attention import.
#include <doctest/doctest.h>

#include <filesystem>

#include "lab/models.h"
#include "lab/peers/pytorch.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "support/model_check.h"
#include "support/program.h"
#include "support/small_models.h"
#include "training/run_directory.h"

namespace attn::test {

namespace fs = std::filesystem;

TEST_SUITE_BEGIN("exchange with PyTorch");

namespace {

Outcome export_run(const std::string& directory, const std::string& file) {
  return run("export --model " + directory + " --pytorch " + file);
}

Outcome import_run(const std::string& file, const std::string& directory,
                   const std::string& options = "--heads 2") {
  return run("import --pytorch " + file + " --out " + directory + " " + options);
}

// That it worked, and said this alone.
void check_said(const Outcome& outcome, const std::string& message) {
  CHECK_MESSAGE(outcome.status == 0, outcome.err);
  CHECK(outcome.out.empty());
  CHECK_MESSAGE(contains(outcome.err, message), outcome.err);
  CHECK(count(outcome.err, "\n") == (message.empty() ? 0 : 1));
}

// A model with two vocabularies as PyTorch would have it.
void write_two_vocabularies(const std::string& path) {
  TransformerConfig config = torch_config(small_config());
  config.tie_embeddings = false;
  config.target_vocabulary = 13;
  Transformer model = random_model(config);
  const TensorsByName tensors = to_pytorch(model);
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  write_safetensors(path, named);
}

}  // namespace

TEST_CASE("a model that was exported and imported is the same model, bit for bit") {
  struct Case {
    std::string train, import;
  };
  for (const Case& each :
       {Case{"", "--heads 2"},
        Case{"--norm pre --tie-embeddings no --attention-bias --positions learned",
             "--heads 2 "
             "--norm pre"},
        Case{"--architecture decoder --dropout 0.2 --label-smoothing 0",
             "--heads 2 --architecture decoder"},
        Case{"--architecture decoder --loss all --norm pre --tie-embeddings no --positions learned",
             "--heads 2 --norm pre --architecture decoder"}}) {
    CAPTURE(each.train);
    const TemporaryDirectory directory;
    const std::string trained = directory.path("trained"), imported = directory.path("imported");
    const std::string file = directory.path("f.safetensors");
    worked(run("train copy " + each.train + kTiny + "--steps 3 --quiet --out " + trained));
    check_said(export_run(trained, file), "wrote ");
    check_said(import_run(file, imported, each.import), "made " + imported + ": ");
    const auto old = load_model(trained, plan_any_model),
               made = load_model(imported, plan_any_model);
    check_same_weights(*made, *old);
    const Settings made_settings = made->facts.settings, old_settings = old->facts.settings;
    for (const char* name : {"heads", "norm", "attention_bias", "positions", "dropout",
                             "attention_dropout", "relu_dropout", "label_smoothing"}) {
      CHECK(made_settings.at(name) == old_settings.at(name));
    }
    if (contains(each.train, "decoder")) CHECK(made_settings.at("loss") == old_settings.at("loss"));
    // One that predicts sources, too, would count the tokens of a window twice.
    if (!contains(each.train, "--loss all")) continue;
    check_fails(import_run(file, directory.path("writer"), each.import + " --context 8"),
                "trained on the sources too, is no language model");
  }
}

TEST_CASE("a file of one architecture is not imported as another; others are not exported") {
  const TemporaryDirectory directory;
  const std::string run_made = directory.path("run"), file = directory.path("f.safetensors");
  check_said(export_run(small_run(), file), "wrote 5,840 weights to " + file);
  CHECK(contains(import_run(file, directory.path("a"), "--heads 2 --architecture decoder").err,
                 "it was exported with --architecture transformer, not decoder"));
  CHECK(contains(import_run(file, directory.path("a"), "--heads 2 --architecture gpt").err,
                 "--architecture: expected transformer or decoder, not 'gpt'"));
  worked(run("train copy --architecture gru --layers 1 --d-model 4 --steps 1 --quiet --out " +
             run_made));
  CHECK(contains(export_run(run_made, file).err, "no layers for the architecture gru"));
}

TEST_CASE("a model without a tokenizer speaks ids; with one it speaks its words") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("f.safetensors");
  check_said(export_run(small_run(), file), "wrote 5,840 weights to " + file);
  check_said(import_run(file, directory.path("ids")),
             ": transformer, layers 1, d_model 16, 5,840 weights; its words are ids\n");
  check_said(import_run(file, directory.path("words"),
                        "--heads 2 --tokenizer " + small_run() + "/tokenizer.txt"),
             " weights\n");

  const Outcome words = run("translate --model " + directory.path("words"), "h e l l o\n");
  const Outcome trained = run("translate --model " + small_run(), "h e l l o\n");
  check_said({words.status, "", words.err}, "");
  CHECK(words.out == trained.out);

  // a is 3, b is 4 and so on: the same sentence and the same answer.
  const Outcome ids = run("translate --model " + directory.path("ids"), "10 7 14 14 17\n");
  check_said({ids.status, "", ids.err}, "");
  const Tokenizer letters = load_trained_model(small_run()).tokenizer;
  const Tokenizer numbers = load_trained_model(directory.path("ids")).tokenizer;
  CHECK(numbers.size() == 29);
  CHECK(numbers.token(28) == "28");
  CHECK(letters.encode(trained.out) == numbers.encode(ids.out));

  write_file(directory.path("short.txt"), Tokenizer({"a", "b"}).text());
  check_fails(import_run(file, directory.path("none"),
                         "--heads 2 --tokenizer " + directory.path("short.txt")),
              "attention: error: " + directory.path("short.txt") +
                  ": 5 tokens, but the model has 29 source and 29 target tokens");
  std::string other = read_file(small_run() + "/tokenizer.txt");
  std::swap(other[other.find("\na\n") + 1], other[other.find("\nb\n") + 1]);
  write_file(directory.path("other.txt"), other);
  check_fails(import_run(file, directory.path("none"),
                         "--heads 2 --tokenizer " + directory.path("other.txt")),
              "other.txt is not the tokenizer that " + file + " was trained with");
  CHECK(!fs::exists(directory.path("none")));
}

TEST_CASE("a model with two vocabularies can be run and inspected, and translate says why not") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("f"), made = directory.path("run");
  write_two_vocabularies(file);
  const Outcome outcome = worked(import_run(file, made));
  CHECK(contains(outcome.err, "attention: warning: the model has 11 source and 13 target tokens"));
  CHECK(!fs::exists(made + "/tokenizer.txt"));
  const std::string lines = directory.path("ids");
  write_file(lines, "1 4 2\n");
  const std::string ids = " --source-ids " + lines + " --target-ids " + lines + " ";
  worked(run("forward --model " + made + ids + "--out " + directory.path("out")));
  const Outcome inspected = worked(run("inspect --model " + made));
  CHECK(contains(inspected.out, "  target_vocabulary   13\n"));
  check_fails(run("translate --model " + made, "3\n"),
              "attention: error: " + made + ": the model has 11 source and 13 target tokens");
  check_fails(import_run(file, directory.path("none"),
                         "--heads 2 --tokenizer " + small_run() + "/tokenizer.txt"),
              "attention: error: " + small_run() +
                  "/tokenizer.txt: 29 tokens, but the model has 11 source and 13");
}

TEST_CASE("files that are no model are refused by name, and nothing is made") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("f"), made = directory.path("run");
  const auto refused = [&](const std::string& message, const std::string& options = "--heads 2") {
    check_fails(import_run(file, made, options), "attention: error: " + file + message);
    CHECK(!fs::exists(made));
  };
  check_fails(import_run(file, made), "attention: error: cannot read " + file);
  check_said(export_run(small_run(), file), "wrote 5,840 weights to " + file);
  refused(": a d_model of 16 (tensor \"embedding.weight\") cannot be shared out among 3 heads",
          "--heads 3");
  // No tensor contradicts another number of heads, but the file says what it was.
  refused(": it was exported with --heads 2, not 4", "--heads 4");
  write_file(file, read_file(file).substr(0, 10000));
  refused(": ");
}

TEST_SUITE_END();

}  // namespace attn::test
