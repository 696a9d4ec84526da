// The layers of a training step, each by itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/benchmark_machine.h"
#include "model/transformer.h"
#include "training/adam.h"

namespace attn::app {

// One kind of layer: all of a model's, so that each finds its weights where a step would, in memory
// rather than in a cache. A pass runs all of them, one after another; its operations and bytes are
// those of one. Bytes: of the tensors that it reads, and of those that it writes.
struct LayerKind {
  std::string name;
  Index count;
  bool part = false;  // of another kind, whose time includes it
  Work forward = {};
  Work backward = {};  // without `run`: there is nothing to do
};

// The kinds that a step of this model is made of, in the order of the forward pass. They keep
// references to the model, which has gradients, and to the others. Making a kind takes the memory
// of its activations, so they are made one at a time.
std::vector<std::function<LayerKind()>> layer_kinds(Transformer& model, Adam& adam,
                                                    const Batch& batch);

// One pass of one layer, measured.
struct PassTime {
  Work work;
  Speed speed;
};
struct LayerTime {
  std::string name;
  Index count;
  bool part;
  PassTime forward, backward;

  double seconds() const {  // of all layers of this kind in a step
    return static_cast<double>(count) * (forward.speed.seconds + backward.speed.seconds);
  }
};
// `between` is called after each kind.
std::vector<LayerTime> measure_layers(
    Transformer& model, Adam& adam, const Batch& batch, const Patience& patience,
    const std::function<void()>& between = [] {});

// [{"name", "count", "forward_seconds", "backward_seconds", …}]
Json to_json(const std::vector<LayerTime>& layers);

}  // namespace attn::app
