// attention benchmark layers
#include "app/benchmark.h"

namespace attn::app {

Benchmark layers_benchmark() {
  Benchmark benchmark;
  benchmark.name = "layers";
  benchmark.groups = {common_benchmark_options()};
  benchmark.run = [](const Arguments&) { return 0; };
  return benchmark;
}

}  // namespace attn::app
