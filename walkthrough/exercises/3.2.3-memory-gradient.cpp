// The gradient of the encoder's output                                         ★★ 15 min, §3.2.3
//
// Every one of the N decoder layers looks at the same z. Here are their backward passes, one a
// layer, in the order of forward: layers[i](dy) takes the gradient of layer i's output and returns
// what it passes down, dx of its input, and what it has found for z.
//
// Given dh, the gradient of the last layer's output, return dg (of the first layer's input) and dz.
#include "support/exercise.h"

struct LayerGradients {
  Tensor dx, dz;
};
using LayerBackward = std::function<LayerGradients(const Tensor& dy)>;

struct DecoderGradients {
  Tensor dg, dz;
};

DecoderGradients decoder_backward(const Tensor& dh, const std::vector<LayerBackward>& layers) {
  not_yet();
}
