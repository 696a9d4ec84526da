// attention benchmark step
#include "app/benchmark.h"

namespace attn::app {

Benchmark step_benchmark() {
  Benchmark benchmark;
  benchmark.name = "step";
  benchmark.groups = {common_benchmark_options()};
  benchmark.run = [](const Arguments&) { return 0; };
  return benchmark;
}

}  // namespace attn::app
