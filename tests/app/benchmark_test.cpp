// What the benchmarks count and print. How long anything takes is not tested.
#include <doctest/doctest.h>

#include <cmath>

#include "app/benchmark_measure.h"
#include "app/benchmark_model.h"
#include "app/benchmark_products.h"
#include "app/program.h"
#include "base/check.h"
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
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  CHECK(outcome.err.empty());
  return parse_json(outcome.out, "output");
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
  Index adam = 0, attentions = 0;
  for (const Json& layer : result.at("layers").items()) {
    CAPTURE(layer.at("name").string());
    CHECK(layer.at("count").integer() >= 1);
    CHECK(layer.at("forward_seconds").number() > 0);
    CHECK(layer.at("backward_seconds").number() >= 0);
    adam += layer.at("name").string() == "Adam";
    attentions += contains(layer.at("name").string(), "attention");
  }
  CHECK(adam == 1);
  CHECK(attentions == 3);
}

Config config_of(Index layers, Index d_model, Index d_ff, Index heads, Index d_k, Index d_v,
                 Index V) {
  Config config;
  config.layers = layers;
  config.d_model = d_model;
  config.d_ff = d_ff;
  config.heads = heads;
  config.d_k = d_k;
  config.d_v = d_v;
  config.source_vocabulary = config.target_vocabulary = V;
  return config;
}

}  // namespace

TEST_CASE("the operations of a step are those counted by hand") {
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

  const Config config = config_of(1, 16, 32, 2, 8, 8, 20);
  const Batch batch = app::random_batch(config, {{3, 4}}, 2, 0);
  CHECK(app::operations(app::step_products(config, batch)) == by_hand);
}

TEST_CASE("heads may have any width, sentences any length, and backward is twice forward") {
  Config config = config_of(3, 10, 7, 2, 3, 5, 11);
  const Batch batch = app::random_batch(config, {{2, 1}, {4, 6}, {1, 3}}, 3, 0);
  // 7 source tokens, 10 target tokens; Σ m n: 21 in the encoder, 46 in the decoder, 29 between.
  const double qk = 10 * 2 * 3, v = 10 * 2 * 5;  // weights of a projection
  const double weights = 3 * (7 * (2 * qk + 2 * v) + 10 * (2 * qk + 2 * v) + 10 * (qk + v) +
                              7 * (qk + v) + (7 + 10) * 2 * 10 * 7) +
                         10 * 10 * 11;
  const double pairs = 3 * (21 + 46 + 29) * 2 * (3 + 5);
  for (const bool tied : {true, false}) {
    config.tie_embeddings = tied;
    const std::vector<app::Product> products = app::step_products(config, batch);
    CHECK(app::operations(products, false) == 2 * weights + 2 * pairs);
    CHECK(app::operations(products, true) == 2 * app::operations(products, false));
  }
}

TEST_CASE("the products of the base model have the shapes of its layers") {
  Config config = preset("base");
  config.source_vocabulary = config.target_vocabulary = 37000;
  const Batch batch = app::random_batch(config, {{32, 32}}, 32, 0);
  const auto count = [&](app::Product::Kind kind, Index m, Index n, Index k) {
    Index sum = 0;
    for (const app::Product& p : app::step_products(config, batch)) {
      if (p.kind == kind && p.m == m && p.n == n && p.k == k) sum += p.count;
    }
    return sum;
  };
  using Kind = app::Product::Kind;
  CHECK(count(Kind::NN, 1024, 512, 512) == 18 * 4);    // four projections in each attention
  CHECK(count(Kind::TN, 512, 512, 1024) == 18 * 4);    // dW of each
  CHECK(count(Kind::NN, 1024, 2048, 512) == 12);       // W₁ of twelve feed-forward networks
  CHECK(count(Kind::NT, 1024, 2048, 512) == 12);       // dx through W₂
  CHECK(count(Kind::NT, 1024, 37000, 512) == 1);       // logits, with E
  CHECK(count(Kind::TN, 37000, 512, 1024) == 1);       // dE
  CHECK(count(Kind::NT, 32, 32, 64) == 18 * 256 * 2);  // S = Q Kᵀ and dP = dO Vᵀ, 256 heads
}

TEST_CASE("batches take the pairs in order, and begin again after the last") {
  const Config config = config_of(1, 4, 4, 1, 4, 4, 9);
  const std::vector<app::PairLengths> lengths{{1, 2}, {3, 4}, {5, 6}};
  const Batch second = app::random_batch(config, lengths, 2, 1);
  CHECK(second.source.offsets == Offsets{0, 5, 6});
  CHECK(second.target_input.offsets == Offsets{0, 6, 8});
  CHECK(second.target_output.size() == 8);
  for (const int id : second.source.ids) CHECK((id >= 3 && id < 9));
  CHECK(app::random_batch(config, lengths, 2, 1).source.ids == second.source.ids);
  CHECK(app::random_batch(config, lengths, 2, 4).source.ids != second.source.ids);
}

TEST_CASE("the ladder is measured rung by rung, the last on all threads, then every shape") {
  const Json result =
      benchmark_json("matmul --sizes 5,33 --models tiny --seconds 0.001 --threads 2");
  check_machine(result, 2);
  check_positive(result.at("machine"), {"bandwidth_gbytes_per_second"});
  const std::vector<std::string> rungs{"matmul_naive",  "matmul_reordered", "matmul_blocked",
                                       "matmul_packed", "matmul_simd",      "matmul"};
  const std::vector<Json>& ladder = result.at("ladder").items();
  REQUIRE(ladder.size() == 2 * rungs.size());
  for (std::size_t i = 0; i < ladder.size(); ++i) {
    CHECK(ladder[i].at("rung").string() == rungs[i % rungs.size()]);
    CHECK(ladder[i].at("size").integer() == (i < rungs.size() ? 5 : 33));
    CHECK(ladder[i].at("threads").integer() == (i % rungs.size() == 5 ? 2 : 1));
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

  const Json brief = benchmark_json("step --steps 3 --brief --dropout 0 --norm pre" + kSmallest);
  CHECK(brief.find("layers") == nullptr);
  CHECK(brief.at("machine").at("bandwidth_gbytes_per_second").type() == Json::Type::null);
}

TEST_CASE("layers are measured without dropout, too, and without tied embeddings") {
  check_layers(benchmark_json("layers --tie-embeddings no" + kSmallest));
  const Outcome outcome = run("benchmark layers --dropout 0 --norm pre" + kSmallest);
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.out, "\nencoder feed-forward "));
  CHECK(!contains(outcome.out, "dropout"));
}

TEST_CASE("lengths of sentences are read from a file") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("lengths");
  const std::string step = "benchmark step --json --brief --preset tiny --sentences 2 --steps 3 ";
  write_file(file, "2 3\n1 1\n4 5\n");
  const Outcome outcome = run(step + "--lengths " + file);
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  const Json tokens = parse_json(outcome.out, "output").at("step").at("tokens_all");
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
    const Outcome bad = run(step + "--lengths " + file);
    CHECK(bad.status == 1);
    CHECK_MESSAGE(contains(bad.err, "attention: error: " + file + message), bad.err);
  }
}

TEST_CASE("a benchmark with options that are not its own is not run") {
  for (const auto& [given, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "benchmark what? matmul, layers"},
           {"mat", "there is no benchmark 'mat', only matmul, "},
           {"step layers", "'layers' is one word too many"},
           {"step --sizes 3", "benchmark step has no option --sizes"},
           {"matmul --preset tiny", "benchmark matmul has no option --preset"},
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
    const std::string arguments = given;
    CAPTURE(arguments);
    const Outcome outcome = run("benchmark " + arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_MESSAGE(contains(outcome.err, "attention: error: " + message), outcome.err);
  }
}

TEST_CASE("a median is the one in the middle") {
  CHECK(app::median({}) == 0);
  CHECK(app::median({3}) == 3);
  CHECK(app::median({9, 1, 2}) == 2);
  CHECK(app::median({4, 1, 2, 9}) == 3);
}

TEST_CASE("a measurement calls its work between calls of what stands beside it") {
  int calls = 0;
  std::vector<int> seen;
  const std::vector<double> runs =
      app::seconds_of_runs([&] { ++calls; }, {0.0001, 0, 4}, [&] { seen.push_back(calls); });
  CHECK(runs.size() == 4);
  REQUIRE(seen.size() == 5);
  for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i] > seen[i - 1]);
  for (const double run : runs) CHECK(run > 0);
}

TEST_SUITE_END();

}  // namespace attn::test
