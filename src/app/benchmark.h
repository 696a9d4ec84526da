// attention benchmark WHAT: benchmark.cpp has the options and the help of all, and what they share;
// benchmark_matmul.cpp, benchmark_step.cpp (layers as well) and benchmark_decode.cpp run one and
// print it; src/lab/benchmark/ measures.
#pragma once

#include <string>

#include "app/options.h"
#include "lab/benchmark/report.h"
#include "model/config.h"
#include "storage/json.h"
#include "training/trainer.h"

namespace attn::app {

int benchmark_matmul(const Arguments& arguments);
int benchmark_layers(const Arguments& arguments);
int benchmark_step(const Arguments& arguments);
int benchmark_decode(const Arguments& arguments);

// Every benchmark takes --seconds, --threads and --json as well. This reads --seconds.
Patience patience_of(const Arguments& arguments);

// --preset, --vocabulary (by default the preset's usual one), --layers and so on; throws UsageError
// for an impossible model.
OptionGroup benchmark_model_options();
TransformerConfig benchmark_config(const Arguments& arguments);
// Of --sentences, --source-length, --target-length or, with --lengths, a file of lengths.
BatchSource benchmark_batches(const Arguments& arguments, const TransformerConfig& config);

// On a terminal: shows what is being measured until something is printed. Elsewhere nothing.
void show_doing(const std::string& what);
// Prints a part of the results as soon as it is known, unless --json was given; or all at the end.
void print_part(const Arguments& arguments, const std::string& part);
void print_json(const Arguments& arguments, const Json& all);

}  // namespace attn::app
