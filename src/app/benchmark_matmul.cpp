// attention benchmark matmul
#include "app/benchmark.h"

namespace attn::app {

Benchmark matmul_benchmark() {
  Benchmark benchmark;
  benchmark.name = "matmul";
  benchmark.groups = {common_benchmark_options()};
  benchmark.run = [](const Arguments&) { return 0; };
  return benchmark;
}

}  // namespace attn::app
