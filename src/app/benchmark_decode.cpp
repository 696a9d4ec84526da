// attention benchmark decode: translations of a given length, by the search that `translate` runs.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "app/benchmark.h"
#include "app/benchmark_machine.h"
#include "app/benchmark_measure.h"
#include "app/benchmark_model.h"
#include "app/console.h"
#include "app/line_reader.h"
#include "app/train_options.h"
#include "base/parallel.h"
#include "base/random.h"
#include "decoding/beam_search.h"
#include "model/transformer.h"
#include "storage/json.h"
#include "text/vocabulary.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

constexpr Index kMostTokens = 4096;

// What is measured: `batch` random sentences of source_length tokens are translated into `tokens`
// tokens each.
struct Decoding {
  Index batch = 1, beam = 1, source_length = 32, tokens = 32;
};

PackedIds random_source(const Decoding& d, Index vocabulary) {
  const RandomStream random{1, 0};
  const Index special = kEos + 1;
  PackedIds source;
  for (Index b = 0; b < d.batch; ++b) {
    std::vector<int> ids;
    for (Index t = 0; t + 1 < d.source_length; ++t) {
      const auto index = static_cast<std::uint64_t>(b * d.source_length + t);
      ids.push_back(static_cast<int>(
          special + static_cast<Index>(
                        random.below(index, static_cast<std::uint64_t>(vocabulary - special)))));
    }
    ids.push_back(kEos);
    source.append(ids);
  }
  return source;
}

void decode(const SequenceModel& model, const Decoding& d, const PackedIds& source) {
  BeamOptions options;
  options.beam = d.beam;
  options.limits = OutputLimits::exactly(d.tokens);
  beam_search(model, source, options);
}

// The numbers of a model that decoding reads: for each source sentence, and for each step.
struct Weights {
  double source = 0, step = 0;
};

Weights count_weights(SequenceModel& model) {
  Weights weights;
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    const bool once = name.rfind("encoder.", 0) == 0 ||
                      name.find(".cross_attention.key") != std::string::npos ||
                      name.find(".cross_attention.value") != std::string::npos;
    const bool each = !once && name.rfind("decoder.", 0) == 0;
    if (once) weights.source += static_cast<double>(p.value.elements());
    if (each) weights.step += static_cast<double>(p.value.elements());
  });
  const Config& config = model.config();
  weights.step += static_cast<double>(config.target_vocabulary * config.d_model);
  return weights;
}

// Products with weights, and weights read, of one decoding.
Work work_of(const SequenceModel& model, const Weights& weights, const Decoding& d) {
  const PackedIds source = random_source(d, model.config().source_vocabulary);
  const double source_tokens = static_cast<double>(d.batch * d.source_length);
  const double rows = static_cast<double>(d.batch * d.beam), steps = static_cast<double>(d.tokens);
  return {[&model, d, source] { decode(model, d, source); },
          2 * (weights.source * source_tokens + weights.step * rows * steps),
          (weights.source + weights.step * steps) * static_cast<double>(sizeof(Real))};
}

struct Result {
  Decoding decoding;
  Speed speed;
  double bytes;

  double tokens_per_second() const {
    return static_cast<double>(decoding.batch * decoding.tokens) / speed.seconds;
  }
};

Json to_json(const Result& r) {
  const Decoding& d = r.decoding;
  return Json::object({{"batch", d.batch},
                       {"beam", d.beam},
                       {"source_length", d.source_length},
                       {"tokens", d.tokens},
                       {"seconds", r.speed.seconds},
                       {"tokens_per_second", r.tokens_per_second()},
                       {"gflops", r.speed.rate / 1e9},
                       {"weights_gbytes_per_second", r.bytes / r.speed.seconds / 1e9},
                       {"limit", r.speed.bound_by_memory ? "memory" : "arithmetic"},
                       {"share_of_limit", r.speed.share}});
}

std::vector<std::string> to_row(const Result& r) {
  const Decoding& d = r.decoding;
  return {text(d.batch, d.batch == 1 ? " sentence" : " sentences"),
          text(d.beam),
          fixed(r.tokens_per_second(), 1),
          short_time(r.speed.seconds / static_cast<double>(d.tokens)),
          giga(r.speed.rate),
          giga(r.bytes / r.speed.seconds),
          share_text(r.speed.share),
          r.speed.bound_by_memory ? "memory" : "arithmetic"};
}

std::unique_ptr<SequenceModel> model_of(const Arguments& arguments) {
  if (arguments.has("model")) {
    const OptionGroup others = benchmark_model_options()[0];
    for (const Option& option : others.options) {
      if (arguments.has(option.name)) {
        fail_usage("--", option.name, " and --model exclude each other");
      }
    }
    return load_model(arguments.value("model"));
  }
  auto model = make_model(benchmark_config(arguments));
  initialise_parameters(*model, 1);
  return model;
}

// Decodes once for each line of standard input and answers with the seconds it took.
void answer_lines(const SequenceModel& model, const Decoding& d) {
  const PackedIds source = random_source(d, model.config().source_vocabulary);
  LineReader reader;
  while (reader.next()) {
    const auto start = std::chrono::steady_clock::now();
    decode(model, d, source);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    put(fixed(seconds.count(), 6) + '\n');
    flush_output();
  }
}

int run_decode(const Arguments& arguments) {
  use_threads(arguments);
  const std::vector<Index> batches = arguments.numbers_or("batch", {1, 32}, 1, kMostTokens);
  Decoding d;
  d.beam = arguments.number_or("beam", 1, 1, 1000);
  d.source_length = arguments.number_or("source-length", 32, 1, kMostTokens);
  d.tokens = arguments.number_or("tokens", 32, 1, kMostTokens);
  const Patience patience = patience_of(arguments);
  const auto model = model_of(arguments);
  const Config& config = model->config();
  if (config.positions == Positions::learned) {
    ATTN_CHECK(std::max(d.source_length, d.tokens) <= config.max_positions,
               "this model has learned ", config.max_positions, " positions");
  }
  if (arguments.has("each-line")) {
    if (batches.size() != 1) fail_usage("--each-line needs one --batch");
    d.batch = batches[0];
    answer_lines(*model, d);
    return 0;
  }

  const Weights weights = count_weights(*model);
  const Machine machine = measure_machine();
  std::vector<Result> results;
  for (const Index batch : batches) {
    d.batch = batch;
    show_doing(text("decoding ", batch, " sentences"));
    const Work work = work_of(*model, weights, d);
    results.push_back({d, speed_of(work, patience), work.bytes});
  }
  clear_doing();

  if (arguments.has("json")) {
    Json all = Json::array();
    for (const Result& result : results) all.add(to_json(result));
    put(attn::to_json(Json::object({{"machine", to_json(machine)}, {"decode", all}})) + '\n');
    return 0;
  }
  std::vector<std::vector<std::string>> rows{
      {"", "beam", "tokens/s", "a step", "GFLOP/s", "GB/s", "of the limit", "which is"}};
  std::transform(results.begin(), results.end(), std::back_inserter(rows), to_row);
  put(to_text(machine) + '\n' + table(rows));
  return 0;
}

}  // namespace

Benchmark decode_benchmark() {
  Benchmark benchmark;
  benchmark.name = "decode";
  benchmark.usage = "[--preset NAME | --model DIR] [--batch LIST] [--beam N] [--tokens N]";
  benchmark.explanation =
      "decode: sentences of random tokens are translated together, each into the same number of "
      "tokens, whatever they are. The time is that of all, the encoder too. A step computes the "
      "next token of every hypothesis; GFLOP/s are those of the products with weights, GB/s those "
      "of reading every weight once a step.";
  benchmark.groups = benchmark_model_options();
  benchmark.groups.resize(1);  // those of the model
  benchmark.groups.push_back(
      {"Decoding (decode)",
       {{"model", "DIR", "the directory of a run whose model is measured instead"},
        {"batch", "LIST", "sentences that are translated together", "1,32"},
        {"beam", "N", "hypotheses of each sentence", "1"},
        {"source-length", "N", "tokens in a source sentence, <eos> included", "32"},
        {"tokens", "N", "tokens in a translation", "32"},
        {"each-line", "",
         "decode once for each line of standard input, and write the seconds it took: to take "
         "turns with another program"}}});
  benchmark.groups.push_back(patience_options());
  benchmark.groups.push_back(common_benchmark_options());
  benchmark.run = run_decode;
  return benchmark;
}

}  // namespace attn::app
