// attention benchmark decode: translations of a given length, by the search that `translate` runs.
#include <algorithm>
#include <memory>

#include "app/benchmark.h"
#include "app/console.h"
#include "app/train_options.h"
#include "benchmark/batches.h"
#include "benchmark/decoding.h"
#include "model/transformer.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

constexpr Index kMostTokens = 4096;

std::unique_ptr<SequenceModel> model_of(const Arguments& arguments) {
  if (arguments.has("model")) {
    for (const Option& option : benchmark_model_options().options) {
      if (arguments.has(option.name)) {
        fail_usage("--", option.name, " and --model exclude each other");
      }
    }
    return load_model(arguments.value("model"));
  }
  auto model = std::make_unique<Transformer>(benchmark_config(arguments));
  initialise_parameters(*model, 1);
  return model;
}

// Decodes once for each line of standard input and answers with the seconds it took.
void answer_lines(const SequenceModel& model, const Decoding& d) {
  const PackedIds sources = random_sources(model.source_vocabulary(), d.batch, d.source_length);
  LineReader reader;
  while (reader.next()) {
    const double start = now();
    decode(model, d, sources);
    put(fixed(now() - start, 6) + '\n');
    flush_output();
  }
}

std::string to_text(const std::vector<DecodingSpeed>& speeds) {
  std::vector<std::vector<std::string>> rows{
      {"", "beam", "tokens/s", "per step", "GFLOP/s", "GB/s", "of the limit", "which is"}};
  for (const DecodingSpeed& d : speeds) {
    const Index batch = d.decoding.batch;
    rows.push_back({text(batch, batch == 1 ? " sentence" : " sentences"), text(d.decoding.beam),
                    fixed(d.tokens_per_second(), 1),
                    short_time(d.speed.seconds / static_cast<double>(d.decoding.tokens)),
                    giga(d.speed.rate), giga(d.bytes_per_second()), share_text(d.speed.share),
                    d.speed.bound_by_memory ? "memory" : "arithmetic"});
  }
  return table(rows);
}

Json to_json(const DecodingSpeed& d) {
  return Json::object({{"batch", d.decoding.batch},
                       {"beam", d.decoding.beam},
                       {"source_length", d.decoding.source_length},
                       {"tokens", d.decoding.tokens},
                       {"seconds", d.speed.seconds},
                       {"tokens_per_second", d.tokens_per_second()},
                       {"gflops", d.speed.rate / 1e9},
                       {"weights_gbytes_per_second", d.bytes_per_second() / 1e9},
                       {"limit", d.speed.bound_by_memory ? "memory" : "arithmetic"},
                       {"share_of_limit", d.speed.share}});
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
  const Index longest = model->longest_sentence();
  ATTN_CHECK(std::max(d.source_length, d.tokens) <= longest, "this model has learned ", longest,
             " positions");
  if (arguments.has("each-line")) {
    if (batches.size() != 1) fail_usage("--each-line needs one --batch");
    d.batch = batches[0];
    answer_lines(*model, d);
    return 0;
  }

  const Machine machine = measure_machine(show_doing);
  Json all = Json::array();
  std::vector<DecodingSpeed> speeds;
  for (const Index batch : batches) {
    d.batch = batch;
    show_doing(text("decoding ", batch, " sentences"));
    speeds.push_back(measure_decoding(*model, d, patience));
    all.add(to_json(speeds.back()));
  }
  print_part(arguments, machine_text(machine) + '\n' + to_text(speeds));
  print_json(arguments, Json::object({{"machine", machine_json(machine)}, {"decode", all}}));
  return 0;
}

}  // namespace

Benchmark decode_benchmark() {
  return {
      "decode",
      "[--preset NAME | --model DIR] [--batch LIST] [--beam N] [--tokens N]",
      "decode: sentences of random tokens are translated together, each into the same number of "
      "tokens, whatever they are. The time is that of the whole translation, encoder included. "
      "A step computes the next token of every hypothesis; GFLOP/s counts the products with "
      "weights, GB/s the weights, read once per step.",
      {benchmark_model_options(),
       {"Decoding (decode)",
        {{"model", "DIR", "the directory of a run whose model is measured instead"},
         {"batch", "LIST", "sentences that are translated together", "1,32"},
         {"beam", "N", "hypotheses of each sentence", "1"},
         {"source-length", "N", "tokens in a source sentence, <eos> included", "32"},
         {"tokens", "N", "tokens in a translation", "32"},
         {"each-line", "",
          "decode once for each line of standard input, and write the seconds it took: to take "
          "turns with another program"}}}},
      run_decode};
}

}  // namespace attn::app
