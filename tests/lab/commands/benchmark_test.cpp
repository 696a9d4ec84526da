// What the benchmark commands print. How long anything takes is not tested.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/platform.h"
#include "model/config.h"
#include "storage/json.h"
#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

namespace {

const std::string kSmallest =
    " --preset tiny --layers 1 --d-model 16 --d-ff 32 --heads 2 --vocabulary 20 --sentences 2 "
    "--source-length 3 --target-length 4 --seconds 0.001 ";
const std::string kSmall =
    " --seconds 0.01 --threads 1 --preset tiny --vocabulary 50 --layers 1 --d-model 16 --d-ff 32 "
    "--heads 2 ";

Json benchmark_json(const std::string& arguments) {
  const Outcome outcome = run("benchmark " + arguments + " --json");
  CHECK(outcome.err.empty());
  return json_of(outcome);
}

void check_positive(const Json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    CAPTURE(key);
    CHECK(object.at(key).number() > 0);
  }
}

void check_machine(const Json& result, int threads) {
  const Json& machine = result.at("machine");
  for (const char* key : {"isa", "compiler"}) CHECK(!machine.at(key).string().empty());
  CHECK(machine.at("threads").integer() == threads);
  check_positive(machine, {"fma_peak_gflops_1", "fma_peak_gflops"});
}

}  // namespace

TEST_CASE("the ladder is measured rung by rung, the last on all threads") {
  // More threads than processors would bring a warning.
  const int all = std::min(2, platform::processors());
  const Json result =
      benchmark_json("matmul --sizes 5,33 --seconds 0.001 --threads " + std::to_string(all));
  check_machine(result, all);
  check_positive(result.at("machine"), {"read_gbytes_per_second"});
  const std::vector<std::string> rungs{"matmul_naive",  "matmul_reordered", "matmul_blocked",
                                       "matmul_packed", "matmul_simd",      "matmul"};
  const std::vector<Json>& ladder = result.at("ladder").items();
  REQUIRE(ladder.size() == 2 * rungs.size());
  for (std::size_t i = 0; i < ladder.size(); ++i) {
    CHECK(ladder[i].at("rung").string() == rungs[i % rungs.size()]);
    CHECK(ladder[i].at("size").integer() == (i < rungs.size() ? 5 : 33));
    CHECK(ladder[i].at("threads").integer() == (i % rungs.size() == 5 ? all : 1));
    check_positive(ladder[i], {"gflops", "share"});
  }
  const Outcome outcome = worked(run("benchmark matmul --sizes 5 --seconds 0.001"));
  CHECK(contains(outcome.out, "\nmatmul_blocked    B is read from memory once"));
}

TEST_CASE("the layers of Table 1 are counted and timed at the sizes given") {
  const std::string sizes = "layers --n 6 --d 16 --k 5 --r 3 --seconds 0.001";
  const std::vector<Json> layers = benchmark_json(sizes).at("layers").items();
  REQUIRE(layers.size() == 7);
  for (const Json& layer : layers) {
    check_positive(layer, {"multiply_adds", "seconds", "longest_path"});
  }
  CHECK(layers[0].at("layer").string() == "self-attention");
  CHECK(layers[0].at("multiply_adds").integer() == 2 * 6 * 6 * 16 + 4 * 6 * 16 * 16);
  CHECK(layers[2].at("layer").string() == "recurrent, RNN");
  CHECK(layers[2].at("longest_path").integer() == 6);
  CHECK(contains(worked(run("benchmark " + sizes)).out, "\nrecurrent, LSTM "));
}

TEST_CASE("a step is measured with its parts, or briefly without") {
  const Json full = benchmark_json("step --steps 3 --threads 1" + kSmallest);
  check_machine(full, 1);
  check_positive(full.at("step"), {"seconds", "tokens_per_second", "flops", "gflops",
                                   "matmul_1024_gflops", "share_of_matmul", "peak_memory_bytes"});
  CHECK(full.at("step").at("tokens").number() == 2 * (3 + 4));
  CHECK(full.at("step").at("seconds_all").items().size() == 3);
  // Before it has learned anything, a model is not much worse than guessing among 20.
  CHECK(full.at("step").at("loss").number() > 1);
  CHECK(full.at("step").at("loss").number() < 3 * std::log(20));
  std::map<std::string, int> names;
  double all = 0;
  for (const Json& part : full.at("parts").items()) {
    const std::string& name = part.at("name").string();
    CAPTURE(name);
    ++names[name];
    const double forward = part.at("forward_seconds").number(),
                 backward = part.at("backward_seconds").number();
    all += forward + backward;
    if (name == "the rest") continue;
    CHECK(forward > 0);
    CHECK((backward > 0) == (name != "output" && name != "adam"));
  }
  CHECK(all == doctest::Approx(full.at("step").at("seconds").number()));
  for (const char* name : {"encoder self_attention", "decoder cross_attention", "output", "adam"}) {
    CHECK(names[name] == 1);
  }

  const Json brief = benchmark_json("step --steps 3 --brief --dropout 0 --norm pre" + kSmallest);
  CHECK(brief.find("parts") == nullptr);
  CHECK(brief.at("machine").at("read_gbytes_per_second").type() == Json::Type::null);
}

TEST_CASE("a benchmark with options that are not its own is not run") {
  for (const auto& [given, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "benchmark what? matmul, layers"},
           {"mat", "there is no benchmark 'mat', only matmul, "},
           {"step layers", "'layers' is one word too many"},
           {"step --sizes 3", "--sizes is for benchmark matmul, not step"},
           {"matmul --preset tiny", "--preset is for benchmark step and decode, not matmul"},
           {"matmul --sizes 3,,4", "--sizes must be whole numbers from 1 to 16384"},
           {"matmul --sizes 0", "--sizes must be whole numbers"},
           {"matmul --seconds 0", "--seconds must be more than 0"},
           {"layers --d 12", "--d is shared out among 8 heads, so it cannot be 12"},
           {"layers --k 4", "a window of 4 positions has no centre: their number must be odd"},
           {"layers --n 1", "--n must be a whole number from 2"},
           {"layers --threads 0", "--threads must be a whole number"},
           {"step --preset huge", "unknown preset 'huge'"},
           {"step --heads 3", "a d_model of 512 cannot be shared out among 3 heads"},
           {"step --vocabulary 3", "--vocabulary must be a whole number from 4"},
           {"step --sentences 0", "--sentences must be a whole number from 1"},
           {"step --steps 0", "--steps must be a whole number from 1"},
           {"decode --batch 1,,2", "--batch must be whole numbers from 1 to 4096"},
           {"decode --beam 0", "--beam must be"},
           {"decode --preset tiny --model x", "--preset and --model exclude each other"},
           {"decode --each-line", "--each-line needs a single size: --batch N"},
       }) {
    check_fails(run("benchmark " + given), "attention: error: " + message, 2);
  }
}

TEST_CASE("a model or a batch that no memory holds is not measured") {
  for (const std::string& options :
       {std::string("--preset base --layers 100000 --sentences 1"),
        std::string("--preset tiny --sentences 1000000 --target-length 100")}) {
    CAPTURE(options);
    // The limit only keeps a program that takes it all from disturbing others.
    check_fails(run_script(limit_memory(4'000'000'000) + "\"$attention\" benchmark step --brief " +
                           options),
                "a step of this model with these batches takes about ");
  }
}

TEST_CASE("the estimate of a training step's memory is within 30% of its measured peak") {
#ifdef ATTENTION_SANITIZED
  return;  // sanitizers take memory of their own
#endif
  struct Case {
    const char* options;
    Index layers, d_model, d_ff, sentences, length, vocabulary;
  };
  for (const Case& c : {Case{"", 2, 256, 1024, 32, 64, 1000},                // activations
                        Case{"", 4, 512, 2048, 2, 8, 10000},                 // weights
                        Case{"", 1, 64, 256, 4, 1024, 100},                  // scores
                        Case{" --norm pre", 2, 256, 512, 64, 32, 20000}}) {  // logits
    TransformerConfig config = preset("base");
    config.layers = c.layers;
    config.d_model = c.d_model;
    config.d_ff = c.d_ff;
    config.d_k = config.d_v = c.d_model / config.heads;
    config.source_vocabulary = config.target_vocabulary = c.vocabulary;
    if (*c.options != 0) config.norm = NormPlacement::pre;
    const Json result = json_of(
        run(text("benchmark step --json --brief --steps 1 --threads 1 --preset base --layers ",
                 c.layers, " --d-model ", c.d_model, " --d-ff ", c.d_ff, " --sentences ",
                 c.sentences, " --source-length ", c.length, " --target-length ", c.length,
                 " --vocabulary ", c.vocabulary, c.options)));
    const double measured = result.at("step").at("peak_memory_bytes").number();
    const double estimated = training_memory(facts_of(config), c.sentences * c.length, c.length, 0);
    CAPTURE(measured);
    CHECK(estimated / measured > 0.7);
    CHECK(estimated / measured < 1.3);
  }
}

TEST_CASE("decoding: tokens are what was asked for, and seconds and speeds fit together") {
  const Json result =
      benchmark_json("decode" + kSmall + "--batch 1,3 --beam 2 --source-length 5 --tokens 7");
  const std::vector<Json>& rows = result.at("decode").items();
  REQUIRE(rows.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& row = rows[i];
    const double batch = i == 0 ? 1 : 3, seconds = row.at("seconds").number();
    CHECK(row.at("batch").number() == batch);
    CHECK(row.at("beam").integer() == 2);
    CHECK(row.at("source_length").integer() == 5);
    CHECK(row.at("tokens").integer() == 7);
    CHECK(seconds > 0);
    CHECK(row.at("tokens_per_second").number() == doctest::Approx(batch * 7 / seconds));
  }
}

TEST_CASE("decoding: a trained model is measured, and lines are answered one by one") {
  const Outcome outcome = worked(run("benchmark decode --model " + small_run() +
                                         " --batch 2 --source-length 3 --tokens 4 --each-line",
                                     "\n\n\n"));
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3);
  CHECK(std::stod(outcome.out) > 0);
}

TEST_CASE("decoding: a sentence is as long as the model's positions, which two sides may share") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  worked(run("train copy --architecture decoder --positions learned --max-positions 50" + kTiny +
             "--steps 0 --quiet --out " + made));
  check_fails(run("benchmark decode --source-length 3 --tokens 26 --model " + made),
              "a sentence of this model has at most 25 tokens; --source-length");
}

TEST_SUITE_END();

}  // namespace attn::test
