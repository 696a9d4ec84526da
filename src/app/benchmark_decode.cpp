// attention benchmark decode: translations of a given length, by the search that `translate` runs.
#include <algorithm>
#include <memory>

#include "app/benchmark.h"
#include "app/terminal/console.h"
#include "app/train_options.h"
#include "base/clock.h"
#include "lab/benchmark/decoding.h"
#include "lab/benchmark/workload.h"
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

}  // namespace

int benchmark_decode(const Arguments& arguments) {
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
             " positions; --source-length and --tokens may not be larger");
  if (arguments.has("each-line")) {
    if (batches.size() != 1) fail_usage("--each-line needs a single size: --batch N");
    d.batch = batches[0];
    answer_lines(*model, d);
    return 0;
  }

  const Machine machine = measure_machine(show_doing);
  std::vector<DecodingSpeed> speeds;
  for (const Index batch : batches) {
    d.batch = batch;
    show_doing("decoding " + counted(batch, "sentence"));
    speeds.push_back({d, measure_decoding(*model, d, patience)});
  }
  print_part(arguments, machine_text(machine) + '\n' + decoding_text(speeds));
  print_json(arguments,
             Json::object({{"machine", machine_json(machine)}, {"decode", decoding_json(speeds)}}));
  return 0;
}

}  // namespace attn::app
