// The gradient of the encoder's output                                         ★★ 15 min, §3.2.3
//
// All N decoder layers look at the same z. Here are their backward passes, in forward order:
// layers[i](dy) takes the gradient of layer i's output and returns dx, that of its input, and dz,
// the layer's share of the gradient of z.
//
// Given dh, the gradient of the last layer's output, return dg, that of the first layer's input,
// and the whole dz.
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
