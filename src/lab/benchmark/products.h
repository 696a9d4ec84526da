// Matrix products, measured: the ladder of kernels/matmul.h, and the products of a training step in
// their actual shapes.
#pragma once

#include <vector>

#include "kernels/matmul.h"
#include "lab/benchmark/cost.h"
#include "lab/benchmark/machine.h"

namespace attn {

// A rung: one of the functions in kernels/matmul.h.
struct Rung {
  const char* name;
  void (*multiply)(const MatmulProblem&);
  const char* removes;  // what slowed the rung before and no longer does
};
extern const std::vector<Rung> kRungs;

// The product of two matrices [size, size] by one rung.
struct RungSpeed {
  const char* rung;
  Index size;
  int threads;
  Index rows;   // of C that were computed: fewer than `size` where all would take too long
  Speed speed;  // its share is that of the peak of as many threads
};
// Every rung at every size, size by size: all but the last on one thread, the last on all.
std::vector<RungSpeed> measure_ladder(const std::vector<Index>& sizes, const Patience& patience,
                                      const Announce& announce);

// The last rung's operations per second at 1024 x 1024 x 1024, on all threads, at best.
double matmul_1024_rate();

struct ShapeSpeed {
  Product product;
  int threads;
  Speed speed;
};

// Every product of a step with that many sentence pairs, sources and targets all of one length:
// first all on one thread, then all on all threads.
std::vector<ShapeSpeed> measure_shapes(const TransformerConfig& config, Index sentences,
                                       Index length, const Patience& patience,
                                       const Announce& announce);

}  // namespace attn
