// attention benchmark WHAT: each benchmark is in benchmark_matmul.cpp, benchmark_step.cpp (layers
// as well) or benchmark_decode.cpp, with its options, help and printing; src/benchmark/ measures.
// benchmark.cpp turns all into one command, and has what they share.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "benchmark/machine.h"
#include "model/config.h"
#include "storage/json.h"
#include "training/trainer.h"

namespace attn::app {

struct Benchmark {
  std::string name;         // the word after `benchmark`
  std::string usage;        // its own options, as help shows them after the name
  std::string explanation;  // its paragraph of help
  int (*run)(const Arguments&);
};

Benchmark matmul_benchmark();
Benchmark layers_benchmark();
Benchmark step_benchmark();
Benchmark decode_benchmark();
OptionGroup matmul_options();
OptionGroup step_options();
OptionGroup decode_options();

// Every benchmark takes --seconds, --threads and --json as well. This reads --seconds.
Patience patience_of(const Arguments& arguments);

// --preset, --vocabulary, --layers and so on; throws UsageError for what no model can be. Without
// --vocabulary it is the one that the preset is usually measured with.
OptionGroup benchmark_model_options();
TransformerConfig benchmark_config(const Arguments& arguments);
// Of --sentences, --source-length, --target-length or, with --lengths, a file of lengths.
BatchSource benchmark_batches(const Arguments& arguments, const TransformerConfig& config);

// The machine and its measured limits.
std::string machine_text(const Machine& machine);
Json machine_json(const Machine& machine);

// On a terminal: shows what is being measured until something is printed. Elsewhere nothing.
void show_doing(const std::string& what);
// Prints a part of the results as soon as it is known, unless --json was given; or all at the end.
void print_part(const Arguments& arguments, const std::string& part);
void print_json(const Arguments& arguments, const Json& all);

}  // namespace attn::app
