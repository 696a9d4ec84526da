// Last layer first. Every reader of z has a gradient for it, and they add up.
#include "support/exercise.h"

struct LayerGradients {
  Tensor dx, dz;
};
using LayerBackward = std::function<LayerGradients(const Tensor& dy)>;

struct DecoderGradients {
  Tensor dg, dz;
};

DecoderGradients decoder_backward(const Tensor& dh, const std::vector<LayerBackward>& layers) {
  DecoderGradients result{dh, {}};
  for (std::size_t i = layers.size(); i-- > 0;) {
    LayerGradients found = layers[i](result.dg);
    if (!result.dz.empty()) add(result.dz, found.dz);
    result.dz = std::move(found.dz);
    result.dg = std::move(found.dx);
  }
  return result;
}
