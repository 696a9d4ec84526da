// attention benchmark WHAT: each benchmark is made in the file of its name (benchmark_matmul.cpp
// …); benchmark.cpp lists them, and makes one command of all.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace attn::app {

struct Benchmark {
  std::string name;         // the word after `benchmark`
  std::string usage;        // its own options, as help shows them after the name
  std::string explanation;  // its paragraph of help
  // The options it takes; with others it is not run. Where several benchmarks have a group of one
  // title, it is the same group, and help lists it once.
  std::vector<OptionGroup> groups;
  int (*run)(const Arguments&);
};

Benchmark matmul_benchmark();
Benchmark layers_benchmark();
Benchmark step_benchmark();
Benchmark decode_benchmark();

// --threads and --json, which every benchmark takes; use_threads (train_options.h) reads the first.
OptionGroup common_benchmark_options();

}  // namespace attn::app
