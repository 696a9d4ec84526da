#include "model/encoder.h"

#include <utility>

namespace attn {

Encoder::Encoder(const Config& config) : has_final_norm(config.norm == NormPlacement::pre) {
  for (Index i = 0; i < config.layers; ++i) layers.emplace_back(config);
  if (has_final_norm) final_norm = LayerNorm(config.d_model);
}

Tensor Encoder::forward(Tensor e, const Offsets& offsets, DropoutMasks& masks, Cache& cache) const {
  cache.layers.resize(layers.size());
  cache.inputs.resize(layers.size());
  Tensor x = std::move(e);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    cache.inputs[i] = std::move(x);
    x = layers[i].forward(cache.inputs[i], offsets, masks, cache.layers[i]);
  }
  if (has_final_norm) return final_norm.forward(std::move(x), cache.final_norm);
  return x;
}

Tensor Encoder::backward(Tensor dz, const Offsets& offsets, const Cache& cache) {
  Tensor dx = has_final_norm ? final_norm.backward(dz, cache.final_norm) : std::move(dz);
  for (std::size_t i = layers.size(); i-- > 0;) {
    dx = layers[i].backward(dx, cache.inputs[i], offsets, cache.layers[i]);
  }
  return dx;
}

void Encoder::visit(const std::string& name, const ParameterVisitor& visitor) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].visit(name + "." + std::to_string(i), visitor);
  }
  if (has_final_norm) final_norm.visit(name + ".norm", visitor);
}

}  // namespace attn
