// The products of a training step, measured in the shapes in which it has them.
#pragma once

#include <string>
#include <vector>

#include "app/benchmark_machine.h"
#include "app/benchmark_products.h"

namespace attn::app {

// A step: that of a preset, with sentences that are all of one length.
struct StepShape {
  const char* model;
  Index sentences, length;
};

struct ShapeSpeed {
  std::string model;
  Product product;
  int threads;
  Speed speed;
};

// Every product on one thread, then every product on all.
std::vector<ShapeSpeed> measure_shapes(const StepShape& step, const Patience& patience);

}  // namespace attn::app
