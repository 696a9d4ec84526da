// Commands that the two programs share, for models that only attention-lab has; and what each says
// of the other.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "lab/commands/commands.h"
#include "lab/language/decoder_only.h"
#include "lab/models.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "support/program.h"
#include "support/random_tensors.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("attention-lab");

namespace {
// The program `attention`, which is beside this one.
Outcome run_paper(const std::string& arguments) {
  return run_script("\"${attention%-lab}\" " + arguments);
}
}  // namespace

TEST_CASE("attention names what attention-lab has besides, all of it") {
  const app::Program &paper = app::paper_program(), &lab = app::laboratory_program();
  // Commands, with the options of those that both have; tasks; architectures.
  const auto words_of = [&](const app::Program& program) {
    std::set<std::string> words;
    for (std::size_t i = 0; i < program.commands.size(); ++i) {
      words.insert(program.commands[i].name);
      if (i >= paper.commands.size()) continue;
      for (const app::Option& option : program.commands[i].options) {
        words.insert("--" + option.name);
      }
    }
    for (const app::Subject& subject : program.subjects) words.insert(subject.name);
    for (const Architecture& architecture : program.architectures) words.insert(architecture.name);
    return words;
  };
  std::set<std::string> more = words_of(lab);
  for (const std::string& word : words_of(paper)) more.erase(word);
  const std::set<std::string> named(paper.elsewhere.begin(), paper.elsewhere.end());
  CHECK(named == more);
}

TEST_CASE("a model that is not a Transformer is attention-lab's, and attention says so") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  worked(
      run("train copy --architecture lstm"
          " --d-model 8 --layers 1 --batch-tokens 64 --steps 2 --quiet --out " +
          made));
  for (const std::string command : {"inspect", "translate", "attend a", "train --resume"}) {
    const std::string model = command == "train --resume" ? " " : " --model ";
    check_fails(run_paper(command + model + made),
                "this model is not a Transformer, but lstm; attention-lab reads it\n");
  }
  CHECK(contains(run_paper("train --resume " + made).err, made + "/training.safetensors: "));
}

TEST_CASE("attention-lab's help names attention-lab, and fits 80 columns") {
  for (const app::Command& command : app::laboratory_program().commands) {
    CAPTURE(command.name);
    const Outcome outcome = worked(run(command.name + " --help all"));
    CHECK(outcome.out == app::command_help(command, true));
    CHECK(!contains(outcome.out, "attention " + command.name));
    CHECK(contains(outcome.out, "attention-lab " + command.name));
    for (const std::string& line : split(outcome.out, '\n')) CHECK(line.size() <= 80);
    CHECK(contains(run("--help").out, "  " + command.name + " "));
  }
  CHECK(contains(run("--version").out, "attention-lab 0."));
}

TEST_CASE("attend shows the attention of recurrent models and of ConvS2S") {
  const TemporaryDirectory directory;
  const auto title = [&](const std::string& name, const std::string& options) {
    const std::string path = directory.path(name);
    worked(run("train copy --architecture " + options +
               " --d-model 8 --layers 1 --batch-tokens 64 --steps 2 --quiet --out " + path));
    const Outcome outcome = worked(run("attend --model " + path + " \"a b c\" \"a b\""));
    return count(outcome.out, "\nEncoder–decoder attention, layer 0\n") +
           10 * count(outcome.out, "\nEncoder–decoder attention\n");
  };
  CHECK(title("lstm", "lstm --attention bahdanau") == 1);
  CHECK(title("gru", "gru --attention luong-general") == 10);
  CHECK(title("convs2s", "convs2s") == 1);
  check_fails(run("attend --layer 1 a --model " + directory.path("gru")),
              "no attention of this model is in layer 1; it attends after its last layer", 2);
}

TEST_CASE(
    "a decoder-only model reads lines of one file, all but the last id, and is scored on the "
    "last") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run"), out = directory.path("out.safetensors");
  for (const char* loss : {"target", "all"}) {
    worked(
        run("train copy --architecture decoder --layers 1 --d-model 8 --heads 2 --steps 1 --quiet "
            "--loss " +
            std::string(loss) + " --out " + made + loss));
    write_file(directory.path("ids"), "7 4 11 2\n3 5\n");
    const std::string command = "forward --model " + made + loss + " --source-ids " +
                                directory.path("ids") + " --out " + out;
    worked(run(command + " --gradients"));
    TensorFile file = read_safetensors(out);
    const auto model = load_model(made + loss, plan_any_model);
    Batch batch;
    batch.append({}, {7, 4, 11, 2});
    batch.append({}, {3, 5});
    CHECK(same(file.tensors.at("logits"), dynamic_cast<DecoderOnly&>(*model).logits(batch)));
    CHECK(file.tensors.at("logits").shape() == Shape{4, 29});
    CHECK(static_cast<double>(file.tensors.at("loss")[0]) ==
          doctest::Approx(model->loss(batch).mean_loss()).epsilon(1e-6));
    CHECK(file.tensors.count("grad.decoder.0.self_attention.query.weight") == 1);

    CHECK(run(command + " --target-ids " + directory.path("ids")).status == 2);
    write_file(directory.path("ids"), "7 4\n3\n");
    CHECK(contains(run(command).err, "line 2: 1 id, expected at least 2"));
  }
  // A Transformer needs both.
  CHECK(run("forward --model " + small_run() + " --source-ids " + directory.path("ids") +
            " --out " + out)
            .status == 2);
}

TEST_CASE("a preset of another architecture is shown as well") {
  const Json result =
      json_of(run("inspect --json --preset tiny --vocabulary 29 --architecture decoder"));
  // 29 · 64 in the embedding; 4 layers of 12 · 64² + 256 + 64 in their matrices, 4 · 64 in norms.
  const Json& totals = result.at("totals");
  CHECK(totals.at("embeddings").integer() == 29 * 64);
  CHECK(totals.at("decoder").integer() == 4 * (12 * 64 * 64 + 256 + 64 + 4 * 64));
  CHECK(totals.find("encoder") == nullptr);
  CHECK(run("inspect --preset tiny --vocabulary 29 --architecture gpt").status == 2);
  CHECK(run("inspect --model " + small_run() + " --architecture decoder").status == 2);
}

TEST_SUITE_END();

}  // namespace attn::test
