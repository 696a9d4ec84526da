// The kinds of layer that a training step consists of, timed inside whole steps.
#pragma once

#include <vector>

#include "benchmark/machine.h"
#include "model/cost.h"
#include "model/transformer.h"
#include "training/trainer.h"

namespace attn {

// One pass of one layer.
struct PassSpeed {
  PassCost cost;
  Speed speed;

  double bytes_per_second() const { return cost.bytes / speed.seconds; }
  // Whether its operations or bytes are counted, which give it a limit and a share.
  bool has_limit() const { return cost.operations + cost.bytes > 0; }
};
// All layers of one kind. Without a backward pass, its seconds are 0.
struct LayerTime {
  std::string name;
  Index count;
  bool part;  // of the kind before it, whose time includes this one
  PassSpeed forward, backward;

  double seconds() const {  // of all of them in a step
    return static_cast<double>(count) * (forward.speed.seconds + backward.speed.seconds);
  }
};
// The last "layer" is the rest of the step.
struct LayerTimes {
  std::vector<LayerTime> layers;
  double step = 0;  // seconds
};

// Takes training steps on this batch, watched by a stopwatch: at least patience.runs, and as many
// as last patience.total_seconds for each kind of layer. A layer's time leaves out that of layers
// inside it, so the times in one step add up to the step; the results are medians over the steps.
// Softmax runs inside threads, where no stopwatch can see it, so it is measured by itself.
LayerTimes measure_layers(Transformer& model, Trainer& trainer, const Batch& batch,
                          const Patience& patience, const Announce& announce);

}  // namespace attn
