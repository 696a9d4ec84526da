// Commands that the two programs share, for models that only attention-lab has; and what each says
// of the other.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/commands/commands.h"
#include "lab/language/decoder_only.h"
#include "lab/models.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "support/defaults_in_help.h"
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

TEST_CASE("a decoder-only model reads lines of one file, and is scored on the last id of each") {
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
  const Json convs2s =
      json_of(run("inspect --json --preset small --vocabulary 29 --architecture convs2s"));
  CHECK(convs2s.at("configuration").at("layers").integer() == 3);
  CHECK(convs2s.at("configuration").at("d_model").integer() == 256);
  CHECK(run("inspect --preset tiny --vocabulary 29 --architecture gpt").status == 2);
  CHECK(run("inspect --model " + small_run() + " --architecture decoder").status == 2);
}

TEST_CASE("what is wrong with a command line of attention-lab is said") {
  const std::string language = "train language --text x", generate = "generate --model x";
  // A command line, and how the message begins.
  for (const auto& [given, message] : std::vector<std::pair<std::string, std::string>>{
           {"export --model x", "export needs --pytorch F"},
           {"import --pytorch x --out y", "import needs --heads N"},
           {"import --pytorch x --out y --heads 0", "--heads must be a whole number from 1 to"},
           {"import --pytorch x --out y --heads 2 --norm middle",
            "--norm: expected post or pre, not"},
           {"train copy --architecture lstm --positions rotary",
            "--positions is not for --architecture lstm"},
           {"train copy --architecture decoder --positions learned --max-positions 30",
            "--max-positions 30 is too few: the two sides of a pair take up to 42"},
           {"train copy --architecture lstm2", "unknown architecture 'lstm2'"},
           {"train copy --architecture gru --heads 2", "--heads is not for --architecture gru"},
           {"train copy --architecture gru --layers 0", "--layers must be 1 to"},
           {"train copy --architecture gru --dropout x", "--dropout: expected a number, not 'x'"},
           {"train copy --architecture gru --attention no",
            "--attention: expected one of none, bah"},
           {"train copy --architecture convs2s --encoder-kernel 4", "--encoder-kernel must be odd"},
           {"train copy --architecture convs2s --max-positions 9", "--max-positions 9 is too few"},
           {"train copy --attention bahdanau", "--attention is not for --architecture transformer"},
           {"evaluate --model x --source y", "evaluate needs --target F"},
           {"train what", "there is no task 'what', only copy, reverse, text and language"},
           {"train copy --vocabulary 100", "--vocabulary is for train text and language, not copy"},
           {"train language", "train language needs --text F"},
           {language + " --context 1", "--context must be 2 to 4096, not 1"},
           {language + " --architecture transformer",
            "a language model is --architecture decoder, not transformer"},
           {language + " --loss all", "--loss is for pairs of sentences"},
           {language + " --source y", "--source is for train text, not language"},
           {language + " --valid-text y --hold-out 20",
            "--hold-out is for when there is no --valid-"},
           {language + " --hold-out 5",
            "--hold-out 5 holds back one in 5, too many to do without; give 10 or"},
           {language + " --positions learned --max-positions 100",
            "--max-positions 100 is too few: a window has a --context of 256"},
           {language + " --batch-tokens 255",
            "--batch-tokens 255 is too few: a window has a --context of 256"},
           {"train copy --context 8", "--context is for train language, not copy"},
           {"train text --text x", "--text is for train language, not text"},
           {"generate", "generate needs --model DIR"},
           {generate + " --temperature nan", "--temperature must be a number from 0 to 100"},
           {generate + " --top-k 0", "--top-k must be a whole number from 1 to"},
           {generate + " --top-p 0", "--top-p must be more than 0 and at most 1, not '0'"},
           {generate + " --top-p 1.5", "--top-p must be more than 0 and at most 1, not '1.5'"},
           {generate + " --tokens 0", "--tokens must be a whole number from 1 to"},
           {generate + " --seed -1", "--seed must be a whole number from 0 to"},
       }) {
    const Outcome outcome = run(given);
    check_fails(outcome, "attention: error: " + message, 2);
    CHECK(contains(outcome.err, "See 'attention-lab "));
  }
}

TEST_CASE("help shows the defaults that the tasks have, and the laboratory's models") {
  const app::Program& lab = app::laboratory_program();
  CHECK(compare_defaults_in_help(lab) == 28);
  for (const Architecture& one : lab.architectures) {
    CHECK(contains(lab.commands.front().help, one.name));
  }
}

TEST_CASE("a preset is sizes, nothing else") {
  const TemporaryDirectory directory;
  const auto settings_of = [&](const std::string& name, const std::string& options) {
    const std::string made = directory.path(name);
    write_file(directory.path("text"), std::string(3000, 'a') + "\n");
    worked(run("train language --text " + directory.path("text") +
               " --tokenizer char --hold-out 0 --steps 0 --quiet --out " + made + options));
    return read_safetensors(made + "/training.safetensors").metadata;
  };
  const Metadata usual = settings_of("usual", ""), tiny = settings_of("tiny", " --preset tiny");
  CHECK(tiny.at("config.d_model") == "64");
  CHECK(usual.at("config.d_model") == "160");
  const std::set<std::string> different{"config.layers",     "config.d_model", "config.d_ff",
                                        "config.heads",      "config.d_k",     "config.d_v",
                                        "attention.checksum"};
  for (const auto& setting : usual) {
    const std::string& name = setting.first;
    if (name.find('.') == name.npos || different.count(name) > 0) continue;
    CHECK_MESSAGE(tiny.at(name) == setting.second, name);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
