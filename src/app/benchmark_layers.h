// The layers of a training step, each by itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/benchmark_machine.h"
#include "model/transformer.h"
#include "training/adam.h"

namespace attn::app {

// What one pass of a layer, forward or backward, has to do.
struct Pass {
  std::function<void()> run;  // all layers of this kind, one after another; empty: there is none
  double operations = 0;      // of one layer's products; what else it computes is not counted
  double bytes = 0;           // of the tensors that one layer reads and of those that it writes
};

// One kind of layer: all of a model's, so that each finds its weights where a step would, in memory
// rather than in a cache.
struct LayerKind {
  std::string name;
  Index count;
  bool part = false;  // of another kind, whose time includes it
  Pass forward = {}, backward = {};
};

// The kinds that a step of this model is made of, in the order of the forward pass. They keep
// references to the model, which has gradients, and to the others. Making a kind takes the memory
// of its activations, so they are made one at a time.
std::vector<std::function<LayerKind()>> layer_kinds(Transformer& model, Adam& adam,
                                                    const Batch& batch);

// One pass, measured. Nothing is faster than the peak allows for its operations, or the bandwidth
// for its bytes (of memory or, if they fit, of a cache); the limit is the longer of these two
// times.
struct PassTime {
  double seconds = 0;  // of one layer
  double operations = 0, bytes = 0;
  bool bound_by_memory = false;
  double share = 0;  // the limit's time of the measured time
};
struct LayerTime {
  std::string name;
  Index count;
  bool part;
  PassTime forward, backward;

  double seconds() const {  // of all layers of this kind in a step
    return static_cast<double>(count) * (forward.seconds + backward.seconds);
  }
};
std::vector<LayerTime> measure_layers(Transformer& model, Adam& adam, const Batch& batch,
                                      const Patience& patience);

// [{"name", "count", "forward_seconds", "backward_seconds", …}]
Json to_json(const std::vector<LayerTime>& layers);

}  // namespace attn::app
