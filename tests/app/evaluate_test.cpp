#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "app/evaluate.h"
#include "base/format.h"
#include "metrics/exact_match.h"
#include "storage/json.h"
#include "support/program.h"
#include "tasks/task.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("evaluate");

namespace {
struct Files {
  const TemporaryDirectory directory;
  const std::string source, target;
  Files(const std::string& sources, const std::string& targets)
      : source(directory.file("source", sources)), target(directory.file("target", targets)) {}
  Outcome evaluate(const std::string& options = "", const std::string& model = small_run()) const {
    return run("evaluate --model " + model + " --source " + source + " --target " + target + " " +
               options);
  }
};
}  // namespace

TEST_CASE("measures are means over all target tokens, or all greedy outputs; text and JSON agree") {
  const TrainedModel trained = load_trained_model(small_run());
  std::vector<TextPair> pairs = find_task("reverse").validation_set();
  pairs.resize(1000);
  const auto outputs = exact_matches(*trained.model, trained.tokenizer, pairs).outputs;
  std::string source, target;
  LossSums sums;
  int matches = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    TextPair& pair = pairs[i];
    // Every third target is what the model says, so that some match exactly.
    if (i % 3 == 0 && !contains(outputs[i], "<unk>")) pair.target = outputs[i];
    matches += pair.target == outputs[i];
    Batch batch;
    batch.append(encode_source(trained.tokenizer, pair.source),
                 encode_target(trained.tokenizer, pair.target));
    sums += trained.model->loss(batch);
    source += pair.source + '\n';
    target += pair.target + '\n';
  }
  const Files files(source, target);
  const Json result = json_of(files.evaluate("--json"));
  CHECK(result.at("pairs").integer() == 1000);
  CHECK(matches > 0);
  CHECK(result.at("exact_match").number() == doctest::Approx(matches / 1000.0).epsilon(1e-12));
  CHECK(result.at("tokens").integer() == sums.tokens);
  CHECK(result.at("loss").number() == doctest::Approx(sums.mean_loss()).epsilon(1e-9));
  CHECK(result.at("perplexity").number() == doctest::Approx(sums.perplexity()).epsilon(1e-9));
  CHECK(result.at("token_accuracy").number() == doctest::Approx(sums.accuracy()).epsilon(1e-12));
  // The model was trained with label smoothing, which perplexity knows nothing of.
  CHECK(result.at("loss").number() != doctest::Approx(std::log(result.at("perplexity").number())));

  std::istringstream lines(files.evaluate().out);
  std::string name;
  double value = 0;
  std::size_t count = 0;
  for (; lines >> name >> value; ++count) {
    CAPTURE(name);
    CHECK(value == doctest::Approx(result.at(name).number()).epsilon(1e-5));
  }
  CHECK(count == result.members().size());
}

TEST_CASE("a loss that is not a number is an error") {
  LossSums sums;
  sums.tokens = 1;
  sums.loss = std::nan("");
  CHECK_THROWS_WITH_AS(app::prediction("pairs", 1, sums), doctest::Contains("are not numbers"),
                       Error);
}

TEST_CASE("BLEU is that of the program's own translations, by whatever search; the rest is not") {
  const TemporaryDirectory directory;
  const std::string source = directory.file("source", "a\na\nb\nb\n");
  const std::string target = directory.file("target", "x\ny y y y\nx\nz z z z\n");
  const std::string files = " --source " + source + " --target " + target + " ";
  const std::string model = " --model " + directory.path("run") + " ";
  worked(run("train text" + files + kTiny +
             "--tokenizer words --steps 120 --warmup 30 --dropout 0 --hold-out 0 --quiet --out " +
             directory.path("run")));
  std::set<std::string> scores;
  Json greedy;
  for (const std::string search : {"--beam 1", "--beam 1 --alpha 1.5", "--beam 4 --alpha 0",
                                   "--beam 4", "--beam 4 --alpha 1.5"}) {
    CAPTURE(search);
    const Json result = json_of(run("evaluate --json" + model + files + search));
    const Outcome translated = run("translate" + model + search + " < " + source);
    const Outcome scored = worked(run("bleu --reference " + target, translated.out));
    CHECK(contains(scored.out, "BLEU = " + fixed(result.at("bleu").number(), 2) + "  "));
    scores.insert(to_json(result.at("bleu")));
    if (search == "--beam 1") greedy = result;
    for (const char* name : {"pairs", "tokens", "loss", "perplexity", "token_accuracy"}) {
      CHECK(to_json(result.at(name)) == to_json(greedy.at(name)));
    }
  }
  CHECK(scores.size() > 1);
}

TEST_CASE("sources are read as translate reads them") {
  const Outcome outcome = Files("la maison est GRANDE\n", "the house is big\n")
                              .evaluate("--json", ATTENTION_SOURCE_DIR "/data/phrasebook");
  CHECK(json_of(outcome).at("exact_match").number() == 1);
}

TEST_CASE("no line is left out: empty lines are answered by empty lines") {
  const Json result = json_of(Files("\na\n\n", "\n\nb\n").evaluate("--json"));
  CHECK(result.at("pairs").integer() == 3);
  CHECK(result.at("tokens").integer() == 4);
  CHECK(result.at("exact_match").number() >= 1 / 3.0);
}

TEST_CASE("a line that only looks empty is an empty line") {
  const Outcome outcome = Files("a\n\u00A0\n", "a\n\u3000\n").evaluate("--json");
  CHECK(outcome.err.empty());
  CHECK(outcome.out == Files("a\n\n", "a\n\n").evaluate("--json").out);
}

TEST_CASE("measures are the same for any number of threads") {
  const Files files("a b\nc d\n", "a b\nc d\n");
  CHECK(worked(files.evaluate("--threads 1")).out == worked(files.evaluate("--threads 3")).out);
}

TEST_CASE("an unknown word in a target is never matched by <unk>, and unknown words are counted") {
  const Outcome outcome = worked(Files("a 1\n", "C d\n").evaluate());
  CHECK(contains(outcome.err, "the model does not know 2 of the 4 tokens"));
  CHECK(contains(outcome.out, "exact_match\t0.000000\n"));
}

TEST_CASE("files that do not fit are refused") {
  check_fails(Files("a\nb\n", "a\n").evaluate(), "has 2 lines and ");
  std::string many;
  for (int i = 0; i < 4096; ++i) many += "a ";
  check_fails(Files("a\n" + many + "\n", "a\nb\n").evaluate(), "source, line 2: 4,096 tokens");
  check_fails(Files("a\nb\n", "a\n" + many + "\n").evaluate(), "target, line 2: 4,096 tokens");
}

TEST_SUITE_END();

}  // namespace attn::test
