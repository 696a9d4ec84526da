// What the benchmark commands print. How long anything takes is not tested.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/program.h"
#include "base/platform.h"
#include "lab/benchmark/cost.h"
#include "storage/atomic_file.h"
#include "storage/json.h"

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

namespace {

const std::string kSmallest =
    " --preset tiny --layers 1 --d-model 16 --d-ff 32 --heads 2 --vocabulary 20 --sentences 2 "
    "--source-length 3 --target-length 4 --seconds 0.001 ";

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
  for (const char* key : {"cpu", "isa", "compiler"}) CHECK(!machine.at(key).string().empty());
  CHECK(machine.at("threads").integer() == threads);
  check_positive(machine, {"fma_peak_gflops_1", "fma_peak_gflops"});
}

void check_layers(const Json& result) {
  std::map<std::string, int> names;
  for (const Json& layer : result.at("layers").items()) {
    const std::string& name = layer.at("name").string();
    CAPTURE(name);
    ++names[name];
    CHECK(layer.at("count").integer() >= 1);
    CHECK(layer.at("forward_seconds").number() > 0);
    const bool has_backward = name != "Adam" && name != "zeroing gradients" && name != "the rest";
    CHECK((layer.at("backward_seconds").number() > 0) == has_backward);
    CHECK((layer.at("forward").type() == Json::Type::null) == (name == "the rest"));
    CHECK((layer.at("backward").type() == Json::Type::null) == !has_backward);
  }
  for (const char* name : {"encoder self-attention", "decoder self-attention",
                           "encoder-decoder attention", "Adam", "the rest"}) {
    CHECK(names[name] == 1);
  }
  CHECK(names["softmax"] == 3);
}

}  // namespace

TEST_CASE("the operations that a benchmark counts in a step are those counted by hand") {
  // Each weight of a matrix takes 6 operations for each token that passes it: 2 forward, 4
  // backward.
  //   encoder layer, 6 tokens: 4 · 16² + 2 · 16 · 32 = 2048 weights              12,288
  //   decoder layer, 8 tokens: 6 · 16² + 2 · 16 · 32 = 2560, and 20 · 16 = 320   23,040
  //   keys and values of the encoder's 6 tokens: 2 · 16² = 512                    3,072
  // Attention takes 2 · 16 for each query and key, twice forward and four times backward:
  //   2 sentences of 3² + 4² + 4 · 3 = 37 pairs                                  74 · 192
  const double by_hand = 6 * (12288 + 23040 + 3072) + 74 * 192;
  const Json step = benchmark_json("step --steps 1 --brief" + kSmallest).at("step");
  CHECK(step.at("flops").number() == by_hand);
  CHECK(step.at("tokens").number() == 2 * (3 + 4));
}

TEST_CASE("the ladder is measured rung by rung, the last on all threads, then every shape") {
  // More threads than processors would bring a warning.
  const int all = std::min(2, platform::processors());
  const Json result = benchmark_json(
      "matmul --sizes 5,33 --models tiny --seconds 0.001 --threads " + std::to_string(all));
  check_machine(result, all);
  check_positive(result.at("machine"), {"bandwidth_gbytes_per_second"});
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
  bool kinds[3] = {};
  for (const Json& shape : result.at("shapes").items()) {
    CHECK(shape.at("model").string() == "tiny");
    CHECK(!shape.at("what").string().empty());
    check_positive(shape, {"m", "n", "k", "threads", "gflops", "share"});
    const std::string kind = shape.at("kind").string();
    kinds[kind == "NN" ? 0 : kind == "NT" ? 1 : 2] = true;
  }
  CHECK((kinds[0] && kinds[1] && kinds[2]));
}

TEST_CASE("a step is measured with its layers, or briefly without") {
  const Json full = benchmark_json("step --steps 3 --threads 1" + kSmallest);
  check_machine(full, 1);
  check_positive(full.at("machine"), {"bandwidth_gbytes_per_second"});
  check_positive(full.at("step"), {"seconds", "tokens", "flops", "gflops", "share_of_peak",
                                   "matmul_1024_gflops", "share_of_matmul", "peak_memory_bytes"});
  CHECK(full.at("step").at("seconds_all").items().size() == 3);
  // Before it has learned anything, a model is not much worse than guessing among 20.
  CHECK(full.at("step").at("loss").number() > 1);
  CHECK(full.at("step").at("loss").number() < 3 * std::log(20));
  check_layers(full);
  CHECK(full.at("seconds_of_a_step_between_layers").number() > 0);
  // Nearly all of a step is in some layer. (Medians need not add up exactly; see the stopwatch's
  // own test.)
  double sum = 0, rest = 0;
  for (const Json& layer : full.at("layers").items()) {
    if (layer.at("part_of_the_layer_before").boolean()) continue;
    rest = layer.at("forward_seconds").number();  // the last one
    sum += layer.at("count").number() * (rest + layer.at("backward_seconds").number());
  }
  CHECK(rest < 0.5 * sum);

  const Json brief = benchmark_json("step --steps 3 --brief --dropout 0 --norm pre" + kSmallest);
  CHECK(brief.find("layers") == nullptr);
  CHECK(brief.at("machine").at("bandwidth_gbytes_per_second").type() == Json::Type::null);
}

TEST_CASE("layers are measured without dropout, too, and without tied embeddings") {
  check_layers(benchmark_json("layers --tie-embeddings no" + kSmallest));
  const Outcome outcome = worked(run("benchmark layers --dropout 0 --norm pre" + kSmallest));
  CHECK(contains(outcome.out, "\nencoder feed-forward "));
  CHECK(contains(outcome.out, "\ndecoder norm "));
  CHECK(!contains(outcome.out, "dropout"));
}

TEST_CASE("lengths of sentences are read from a file") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("lengths");
  const std::string step = "benchmark step --json --brief --preset tiny --sentences 2 --steps 3 ";
  write_file(file, "2 3\n1 1\n4 5\n");
  const Json tokens = json_of(run(step + "--lengths " + file)).at("step").at("tokens_all");
  REQUIRE(tokens.items().size() == 3);
  CHECK(tokens.items()[0].integer() == 2 + 3 + 1 + 1);
  CHECK(tokens.items()[1].integer() == 4 + 5 + 2 + 3);
  CHECK(tokens.items()[2].integer() == 1 + 1 + 4 + 5);

  for (const auto& [contents, message] : std::vector<std::pair<std::string, std::string>>{
           {"1 2\n3\n", ", line 2: expected two numbers"},
           {"1 2 3\n", ", line 1: expected two numbers"},
           {"1 0\n", ", line 1: expected a length from 1"},
           {"x 1\n", ", line 1: expected a length from 1"},
           {"", " is empty"}}) {
    write_file(file, contents);
    check_fails(run(step + "--lengths " + file), "attention: error: " + file + message);
  }
}

TEST_CASE("a benchmark with options that are not its own is not run") {
  for (const auto& [given, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "benchmark what? matmul, layers"},
           {"mat", "there is no benchmark 'mat', only matmul, "},
           {"step layers", "'layers' is one word too many"},
           {"step --sizes 3", "--sizes is for benchmark matmul, not step"},
           {"matmul --preset tiny",
            "--preset is for benchmark layers, step and decode, not matmul"},
           {"matmul --sizes 3,,4", "--sizes must be whole numbers from 1 to 16384"},
           {"matmul --sizes 0", "--sizes must be whole numbers"},
           {"matmul --models huge", "--models must be some of base, small and tiny"},
           {"matmul --seconds 0", "--seconds must be more than 0"},
           {"layers --preset huge", "unknown preset 'huge'"},
           {"layers --heads 3", "a d_model of 512 cannot be shared out among 3 heads"},
           {"layers --threads 0", "--threads must be a whole number"},
           {"step --vocabulary 3", "--vocabulary must be a whole number from 4"},
           {"step --sentences 0", "--sentences must be a whole number from 1"},
           {"step --steps 0", "--steps must be a whole number from 1"},
           {"step --lengths f --target-length 3", "--target-length and --lengths exclude"},
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
    const double estimated = training_memory(config, c.sentences * c.length, c.length, 0);
    CAPTURE(measured);
    CHECK(estimated / measured > 0.7);
    CHECK(estimated / measured < 1.3);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
