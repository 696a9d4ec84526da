// The ladder of matrix products (kernels/matmul.h), measured.
#pragma once

#include <string>
#include <vector>

#include "app/benchmark_machine.h"
#include "base/real.h"

namespace attn::app {

// The product of two matrices [size, size] by one rung.
struct RungSpeed {
  std::string rung;
  Index size;
  int threads;
  Index rows;   // of C that were computed: fewer than `size` where all would take too long
  Speed speed;  // its share: of the peak of as many threads
};

// Every rung at every size, size by size: all but the last on one thread, the last on all.
std::vector<RungSpeed> measure_ladder(const std::vector<Index>& sizes, const Patience& patience);
// A line for each rung: what held back the one before, and no longer does.
std::string rungs_explained();

// The last rung's operations a second at 1024 x 1024 x 1024, on all threads, at best.
double matmul_1024_rate();

}  // namespace attn::app
