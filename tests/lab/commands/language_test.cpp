#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "base/format.h"
#include "base/utf8.h"
#include "lab/language/windows.h"
#include "lab/models.h"
#include "storage/atomic_file.h"
#include "storage/json.h"
#include "support/program.h"
#include "text/corpus.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("language");

namespace {

const std::string kLines = "the cat sat\non the mat.\nété 🙂\n";

// A text, and the options that train the smallest model on it.
struct Text {
  const TemporaryDirectory directory;
  std::string train;

  explicit Text(const std::string& contents = {}, const std::string& tokenizer = "char") {
    std::string all = contents;
    for (int i = 0; i < 41 && contents.empty(); ++i) all += kLines;
    write_file(directory.path("text"), all);
    train = "train language --text " + directory.path("text") + kTiny +
            "--context 16 --tokenizer " + tokenizer + " --out " + directory.path("run") + " ";
  }
  Outcome generate(const std::string& options) const {
    return run("generate --model " + directory.path("run") + " " + options);
  }
};

// A text with a model of a few steps, made once.
const Text& trained() {
  static const Text text;
  static const Outcome outcome =
      worked(run(text.train + "--steps 30 --warmup 10 --save-every 10 --learning-rate-scale 1"));
  return text;
}

}  // namespace

TEST_CASE("a text is learned and written again, ends of lines too; what to try next works") {
  // One character tells the next.
  const std::string line = "plan é🙂\n";
  std::string lines;
  for (int i = 0; i < 97; ++i) lines += line;
  const Text text(lines);
  const std::string own = " --valid-text " + text.directory.path("text");
  const Outcome outcome =
      worked(run(text.train + "--steps 300 --warmup 40 --dropout 0 --averaging 0" + own));
  CHECK(outcome.out.empty());
  CHECK(contains(outcome.err, " in windows of 16; validated with "));
  CHECK(contains(outcome.err, "model  decoder, layers 1, d_model 16, "));
  CHECK(contains(outcome.err, "kept for writing: the weights of step "));
  CHECK(text.generate("--temperature 0 --prompt la --tokens 30").out ==
        line.substr(1) + line + line + line + "p\n");
  CHECK(text.generate("--temperature 0 --tokens 12").out.size() > 12);

  for (const char* command : {" generate", " evaluate"}) {
    const std::size_t begin = outcome.err.rfind("  " + kExecutable + command);
    REQUIRE(begin != std::string::npos);
    const std::string suggested = outcome.err.substr(begin + 3 + kExecutable.size());
    CHECK(run(suggested.substr(0, suggested.find('\n'))).status == 0);
  }
}

TEST_CASE("a run on plain text resumes with the same windows") {
  const Text text;
  worked(run(text.train + "--steps 40 --quiet"));
  const std::string all = read_file(text.directory.path("run/model.safetensors"));
  std::filesystem::remove_all(text.directory.path("run"));
  worked(run(text.train + "--steps 23 --quiet"));
  const std::string resume = "train --quiet --steps 40 --resume " + text.directory.path("run");
  check_fails(run(resume + " --context 8"), "--context cannot be given with --resume", 2);
  CHECK(run(resume).status == 0);
  CHECK(read_file(text.directory.path("run/model.safetensors")) == all);
}

TEST_CASE("a seed writes one text, whatever the threads; another seed writes another") {
  const Text& text = trained();
  const Outcome one = worked(text.generate("--seed 5 --tokens 300 --threads 1"));
  CHECK(one.err.empty());
  CHECK(text.generate("--seed 5 --tokens 300 --threads 2").out == one.out);
  CHECK(text.generate("--seed 6 --tokens 300").out != one.out);
  CHECK(text.generate("--seed 5 --tokens 300 --temperature 0.1").out != one.out);
  CHECK(text.generate("--seed 5 --tokens 300 --top-k 2").out != one.out);
  CHECK(text.generate("--seed 5 --tokens 300 --top-p 0.5").out != one.out);
  // Far beyond the context; a character per token, and a newline at the end.
  CHECK(first_invalid_utf8(one.out) == one.out.size());
  const std::size_t letters = characters(one.out).size();
  CHECK((letters == 300 || (letters == 301 && one.out.back() == '\n')));
  CHECK(count(one.out, "\n") > 3);
}

TEST_CASE("text appears while it is being written") {
  const Text& text = trained();
  // So many tokens would take days.
  const Outcome outcome = run_script("\"$attention\" generate --tokens 1000000000 --model " +
                                     text.directory.path("run") + " | head -c 100");
  CHECK(outcome.out.size() == 100);
  CHECK(outcome.err.empty());
}

TEST_CASE("a prompt is continued, of a long one the end; what the model lacks is said") {
  const Text& text = trained();
  const Outcome outcome = text.generate("--prompt 'on the' --tokens 5");
  CHECK(outcome.out.substr(0, 6) == "on the");
  CHECK(outcome.err.empty());
  // 16 characters are the context: what is before them changes nothing.
  const std::string end = "at.\nthe cat sat\n";
  std::string first;
  for (const std::string& begin :
       {std::string("m"), std::string("on the m"), kLines + "on the m"}) {
    const std::string prompt = begin + end;
    const std::string out = text.generate("--prompt '" + prompt + "' --tokens 40").out;
    REQUIRE(out.substr(0, prompt.size()) == prompt);
    if (first.empty()) first = out.substr(prompt.size());
    CHECK(out.substr(prompt.size()) == first);
  }

  const Outcome unknown = worked(text.generate("--prompt 'the dög' --tokens 3"));
  CHECK(unknown.out.substr(0, 8) == "the dög");
  CHECK(!contains(unknown.out, "\uFFFD"));  // g is not known either, and is shown once
  CHECK(contains(unknown.err,
                 "attention: warning: --prompt: the model does not know the character "
                 "\"d\", and reads <unk>"));
  CHECK(contains(unknown.err, "\"ö\""));
  check_fails(
      run("generate --model " + text.directory.path("run") + " --prompt \"$(printf 'a\\303')\""),
      "--prompt is not UTF-8 at byte 2", 2);
}

TEST_CASE("a tab reaches a terminal, a control character does not") {
  const std::string prompt = " --prompt \"$(printf 'the\\tcat\\033')\"";
  const Outcome shown =
      run_on_terminal("generate --tokens 1 --model " + trained().directory.path("run") + prompt);
  CHECK(contains(shown.out, "the\tcat\\u001b"));
}

TEST_CASE("attend and trace show how a text is read, without a source, after the end of a line") {
  const Text& text = trained();
  const std::string model = " --model " + text.directory.path("run") + " ";
  const std::string read = "the c\nat", given = "\"" + read + "\"";
  const Json attended = json_of(run("attend --json" + model + given));
  CHECK(attended.at("attend").at("source").string() == "");
  CHECK(attended.at("attend").at("target").string() == read);
  const Json& head = attended.at("decoder.0.self_attention.heads.1.P");
  const std::string ids = R"("t","h","e","\\s","c","<eos>","a","t")";
  CHECK(to_json(head.at("rows")) == "[\"<eos>\"," + ids + "]");
  CHECK(to_json(head.at("columns")) == "[\"<eos>\"," + ids + "]");
  CHECK(to_json(head.at("writes")) == "[" + ids + ",\"<eos>\"]");
  const Outcome drawn = run("attend" + model + given);
  CHECK(drawn.out.rfind("the c at\n\nDecoder self-attention", 0) == 0);
  CHECK(drawn.err.empty());

  const Outcome traced = run("trace" + model + given);
  CHECK(contains(traced.out, "The model reads       <eos> t h e \\s c <eos> a t\n"));
  CHECK(contains(traced.out, "and is to predict     t h e \\s c <eos> a t <eos>\n"));
  CHECK(run("trace --backward" + model + given).status == 0);
  // The loss is that of evaluate --text.
  const std::string file = text.directory.path("read");
  write_file(file, read);
  const Json loss = json_of(run("trace --json --only loss" + model + given));
  const Json measured = json_of(run("evaluate --json --text " + file + model));
  CHECK(loss.at("loss").at("data").items().at(0).number() ==
        doctest::Approx(measured.at("loss").number()).epsilon(1e-6));

  check_fails(run("attend" + model + "a b"), "a language model reads one text, without a target");
  check_fails(run("attend" + model + "aaaaaaaaaaaaaaaa"),
              "the text takes 17 tokens, an end of line before it included; this model reads 16 "
              "at a time");
  CHECK(run("attend" + model + "aaaaaaaaaaaaaaa").status == 0);
  check_fails(run("trace" + model + "\"$(printf 'a\\303')\""), "the text is not UTF-8 at byte 2");
}

TEST_CASE("a language model that was exported and imported writes the same text") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("f"), original = trained().directory.path("run");
  worked(run("export --model " + original + " --pytorch " + file));
  const std::string import = "import --pytorch " + file + " --heads 2 --norm pre --tokenizer " +
                             original + "/tokenizer.txt --architecture decoder --out ";
  worked(run(import + directory.path("same")));
  worked(run(import + directory.path("shorter") + " --context 8"));
  const auto written = [](const std::string& model) {
    return worked(run("generate --tokens 60 --model " + model)).out;
  };
  CHECK(written(directory.path("same")) == written(original));
  CHECK(written(directory.path("shorter")) != written(original));
  check_fails(run(import + directory.path("x") + " --context 1"),
              "--context must be a whole number", 2);
  check_fails(run("import --heads 2 --context 8 --pytorch x --out x"),
              "--context is for a language model: --architecture decoder", 2);
}

TEST_CASE("evaluate --text is the loss of the windows that score a text; bits per character") {
  const Text& text = trained();
  const std::string file = text.directory.path("test");
  write_file(file, "a mat sat\n\non été. the 🙂 cat\nthe cat sat on\n");
  const std::string command = "evaluate --model " + text.directory.path("run") + " --text " + file;
  const Json result = json_of(run(command + " --json"));

  const TrainedModel model = load_trained_model(text.directory.path("run"), plan_any_model);
  CHECK(model.context == 16);
  const std::vector<std::string> lines = read_lines(file);
  LossSums sums;
  for (const Batch& batch : scored_windows(text_stream(model.tokenizer, lines), 16, 40)) {
    sums += model.model->loss(batch);
  }
  double bytes = 0, letters = 0;
  for (const std::string& line : lines) {
    bytes += static_cast<double>(line.size() + 1);
    letters += static_cast<double>(characters(line).size() + 1);
  }
  const double nats = sums.log_loss, mean = nats / static_cast<double>(sums.tokens);
  CHECK(result.at("tokens").integer() == sums.tokens);
  CHECK(result.at("characters").integer() == static_cast<std::int64_t>(letters));
  CHECK(result.at("loss").number() == doctest::Approx(mean).epsilon(1e-6));
  CHECK(result.at("perplexity").number() == doctest::Approx(std::exp(mean)).epsilon(1e-6));
  const double bits = nats / std::log(2.0);
  CHECK(result.at("bits_per_character").number() == doctest::Approx(bits / letters).epsilon(1e-6));
  CHECK(result.at("bits_per_byte").number() == doctest::Approx(bits / bytes).epsilon(1e-6));
  CHECK(bytes > letters);

  const std::string table = run(command).out;
  CHECK(contains(table, "\nbits_per_character\t" + fixed(bits / letters, 4).substr(0, 5)));
  write_file(file, "the z\n");
  CHECK(contains(run(command).err, "does not know 1 of the 6 tokens, and reads <unk>"));
  check_fails(run(command + " --beam 2"), "--beam is for translations, not for --text", 2);
  write_file(file, "the\nca\xFFt\n");
  check_fails(run(command), file + ", line 2, byte 3: not UTF-8 (0xFF)");
}

TEST_CASE("each kind of model says which command it is for") {
  const std::string writer = trained().directory.path("run"), translator = small_run();
  const std::string checkpoint = writer + "/checkpoints/step-00000010.safetensors";
  for (const std::string& model : {writer, checkpoint}) {
    CHECK(run("generate --tokens 1 --model " + model).status == 0);
    check_fails(run("translate --model " + model),
                model + ": a language model, which translates nothing; use attention-lab generate");
    check_fails(run("evaluate --source x --target x --model " + model), "or evaluate with --text");
  }
  check_fails(run("generate --model " + translator),
              translator +
                  ": a model of sentence pairs, not a language model; use attention-lab "
                  "translate");
  check_fails(run("evaluate --text x --model " + translator),
              "evaluate with --source and --target");
  check_fails(run("evaluate --model x"), "evaluate needs --source F, or --text F", 2);

  // A mean of language models is one.
  const TemporaryDirectory directory;
  worked(run("average --out " + directory.path("mean") + " " + writer + "/checkpoints/*"));
  CHECK(run("generate --tokens 1 --model " + directory.path("mean")).status == 0);
}

TEST_CASE("text that is no text, and windows that it does not fill, are errors") {
  const auto refused = [](const std::string& contents, const std::string& message) {
    const Text text(contents);
    check_fails(run(text.train), message);
    CHECK(!std::filesystem::exists(text.directory.path("run/model.safetensors")));
  };
  refused("\xEF\xBB\xBF", "text is empty, expected lines of text");
  refused("abc\nd\xC3\n", "text, line 2, byte 2: not UTF-8 (0xC3)");
  refused(std::string("abc\nd\0e\n", 8), "text, line 2, byte 2: a NUL byte");
  refused("abc\n", "text: 4 tokens to learn from, fewer than a window of 16; give a smaller");
  const Text text;
  write_file(text.directory.path("empty"), "");
  check_fails(run(text.train + " --valid-text " + text.directory.path("empty")), "empty is empty");
}

TEST_CASE("learned positions are as many as a window has, and pairs can be read as characters") {
  const Text text;
  // A context that is odd has no two halves.
  for (const std::string odd : {"7", "15"}) {
    const std::string out = text.directory.path(odd);
    worked(run("train language --text " + text.directory.path("text") + kTiny + "--context " + odd +
               " --quiet --steps 1 --positions learned --out " + out));
    worked(run("generate --tokens 40 --model " + out));
  }
  worked(run(text.train + "--quiet --steps 2 --positions learned"));
  const Json model = json_of(run("inspect --json --model " + text.directory.path("run")));
  CHECK(contains(to_json(model), "\"max_positions\":16,"));
  CHECK(text.generate("--tokens 50").status == 0);
  // No model gets a context that it has no positions for.
  const std::string weights = text.directory.path("w.safetensors");
  worked(run("export --model " + text.directory.path("run") + " --pytorch " + weights));
  const std::string import = "import --architecture decoder --heads 2 --norm pre --pytorch " +
                             weights + " --out " + text.directory.path("imported") + " --context ";
  check_fails(run(import + "17"), "a context of 17 tokens, but the model has learned 16 positions");
  worked(run(import + "16"));
  // Nor is more read than the context, whoever asks.
  write_file(text.directory.path("ids"), "1 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5\n");
  check_fails(run("forward --model " + text.directory.path("run") + " --source-ids " +
                  text.directory.path("ids") + " --out " + text.directory.path("logits")),
              "17 ids to read, but the model reads at most 16");

  const std::string file = text.directory.path("text"), pairs = text.directory.path("pairs");
  worked(run("train text --quiet --steps 2 --tokenizer char --source " + file + " --target " +
             file + kTiny + "--out " + pairs));
  const std::string tokenizer = " --tokenizer " + pairs + "/tokenizer.txt";
  const Outcome encoded = run("tokenizer encode" + tokenizer, kLines);
  CHECK(contains(encoded.out, "t h e \\s c a t \\s s a t\n"));
  CHECK(run("tokenizer decode" + tokenizer, encoded.out).out == kLines);
  CHECK(run("translate --model " + pairs, "the cat\n").status == 0);
}

TEST_SUITE_END();

}  // namespace attn::test
