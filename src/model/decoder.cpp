#include "model/decoder.h"

#include <utility>

namespace attn {

Decoder::Decoder(const Config& config) : has_final_norm(config.norm == NormPlacement::pre) {
  for (Index i = 0; i < config.layers; ++i) layers.emplace_back(config);
  if (has_final_norm) final_norm = LayerNorm(config.d_model);
}

Tensor Decoder::forward(Tensor g, const Offsets& offsets, const DecoderLayer::Memory& memory,
                        DropoutMasks& masks, Cache& cache) const {
  cache.layers.resize(layers.size());
  cache.inputs.resize(layers.size());
  Tensor x = std::move(g);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    cache.inputs[i] = std::move(x);
    x = layers[i].forward(cache.inputs[i], offsets, memory, masks, cache.layers[i]);
  }
  if (has_final_norm) return final_norm.forward(std::move(x), cache.final_norm);
  return x;
}

Tensor Decoder::backward(Tensor dh, const Offsets& offsets, const DecoderLayer::Memory& memory,
                         const Cache& cache, Tensor& dz) {
  Tensor dx = has_final_norm ? final_norm.backward(dh, cache.final_norm) : std::move(dh);
  for (std::size_t i = layers.size(); i-- > 0;) {
    dx = layers[i].backward(dx, cache.inputs[i], offsets, memory, cache.layers[i], dz);
  }
  return dx;
}

Tensor Decoder::step(Tensor g, Index position, const std::vector<Index>& slots,
                     std::vector<DecoderLayer::Keys>& keys) const {
  Tensor x = std::move(g);
  for (std::size_t i = 0; i < layers.size(); ++i) x = layers[i].step(x, position, slots, keys[i]);
  LayerNorm::Cache cache;
  if (has_final_norm) return final_norm.forward(std::move(x), cache);
  return x;
}

void Decoder::visit(const std::string& name, const ParameterVisitor& visitor) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].visit(name + "." + std::to_string(i), visitor);
  }
  if (has_final_norm) final_norm.visit(name + ".norm", visitor);
}

}  // namespace attn
