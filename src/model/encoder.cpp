// z = layer N(… layer 2(layer 1(e))), and with pre-norm a LayerNorm of that.
#include "model/encoder.h"

#include <utility>

namespace attn {

Encoder::Encoder(const TransformerConfig& config)
    : has_final_norm(config.norm == NormPlacement::pre) {
  for (Index i = 0; i < config.layers; ++i) layers.emplace_back(config);
  if (has_final_norm) final_norm = LayerNorm(config.d_model);
}

Tensor Encoder::forward(Tensor e, const Offsets& offsets, const Pass& pass, Cache& cache) const {
  cache.layers.resize(layers.size());
  cache.inputs.resize(layers.size());
  Tensor x = std::move(e);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Pass layer = pass.in(static_cast<Index>(i));
    Tensor y = layers[i].forward(x, offsets, layer, cache.layers[i]);
    // The model shows z itself.
    const bool is_z = i + 1 == layers.size() && !has_final_norm;
    if (!is_z) layer.see("output", layers[i].feed_forward_residual.formula(), y);
    if (pass.keeps()) cache.inputs[i] = std::move(x);
    x = std::move(y);
  }
  if (!has_final_norm) return x;
  return final_norm.forward(std::move(x), pass.in("norm"), cache.final_norm);
}

Tensor Encoder::backward(Tensor dz, const Offsets& offsets, const Pass& pass, const Cache& cache) {
  Tensor dy = std::move(dz);
  if (has_final_norm) dy = final_norm.backward(dy, pass.in("norm"), cache.final_norm);
  for (std::size_t i = layers.size(); i-- > 0;) {
    const Pass layer = pass.in(static_cast<Index>(i));
    const bool is_last = i + 1 == layers.size();
    const bool is_dz = is_last && !has_final_norm;  // shown already
    if (!is_dz) {
      layer.see("doutput", is_last ? LayerNorm::kGradientFormula : gradient_formula(), dy);
    }
    dy = layers[i].backward(dy, cache.inputs[i], offsets, layer, cache.layers[i]);
  }
  return dy;
}

const char* Encoder::gradient_formula() const {
  return layers[0].self_attention_residual.gradient_formula();
}

void Encoder::visit(const std::string& name, const ParameterVisitor& visitor) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].visit(name + "." + std::to_string(i), visitor);
  }
  if (has_final_norm) final_norm.visit(name + ".norm", visitor);
}

}  // namespace attn
