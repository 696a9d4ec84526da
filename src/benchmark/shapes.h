// The products of a training step, measured in the shapes in which it has them.
#pragma once

#include <vector>

#include "benchmark/machine.h"
#include "model/cost.h"

namespace attn {

struct ShapeSpeed {
  Product product;
  int threads;
  Speed speed;
};

// Every product of a step with that many sentence pairs, sources and targets all of one length:
// first all on one thread, then all on all threads.
std::vector<ShapeSpeed> measure_shapes(const Config& config, Index sentences, Index length,
                                       const Patience& patience, const Announce& announce);

}  // namespace attn
