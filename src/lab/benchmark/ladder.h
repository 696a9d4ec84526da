// Measures matrix products: the ladder of kernels/matmul.h.
#pragma once

#include <string>
#include <vector>

#include "kernels/matmul.h"
#include "lab/benchmark/machine.h"
#include "storage/json.h"

namespace attn {

// A rung: one of the functions in kernels/matmul.h.
struct Rung {
  const char* name;
  void (*multiply)(const MatmulProblem&);
  const char* removes;  // what slowed the rung before and no longer does
};
extern const std::vector<Rung> kRungs;

// The product of two matrices [size, size] by every rung, size by size, on one thread, but the last
// on all. Of each: "rung", "size", "threads", "gflops", "share" of the peak of as many threads, and
// the "rows" of C computed, fewer than `size` if all would take too long.
Json measure_ladder(const std::vector<Index>& sizes, const Patience& patience,
                    const Announce& announce);

// The last rung's operations per second at 1024 x 1024 x 1024, on all threads, at best.
double matmul_1024_rate();

}  // namespace attn
