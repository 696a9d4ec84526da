// h = layer N(… layer 2(layer 1(g))), and with pre-norm a LayerNorm of that.
#include "model/decoder.h"

#include <utility>

namespace attn {

Decoder::Decoder(const TransformerConfig& config)
    : has_final_norm(config.norm == NormPlacement::pre) {
  for (Index i = 0; i < config.layers; ++i) layers.emplace_back(config);
  if (has_final_norm) final_norm = LayerNorm(config.d_model);
}

Tensor Decoder::forward(Tensor g, const Offsets& offsets, const DecoderLayer::Memory& memory,
                        const Pass& pass, Cache& cache) const {
  cache.layers.resize(layers.size());
  cache.inputs.resize(layers.size());
  Tensor x = std::move(g);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Pass layer = pass.in(static_cast<Index>(i));
    Tensor y = layers[i].forward(x, offsets, memory, layer, cache.layers[i]);
    // The model shows h itself.
    const bool is_h = i + 1 == layers.size() && !has_final_norm;
    if (!is_h) layer.see("output", layers[i].feed_forward_residual.formula(), y);
    if (pass.keeps()) cache.inputs[i] = std::move(x);
    x = std::move(y);
  }
  if (!has_final_norm) return x;
  return final_norm.forward(std::move(x), pass.in("norm"), cache.final_norm);
}

Tensor Decoder::backward(Tensor dh, const Offsets& offsets, const DecoderLayer::Memory& memory,
                         const Pass& pass, const Cache& cache, Tensor& dz) {
  Tensor dy = std::move(dh);
  if (has_final_norm) dy = final_norm.backward(dy, pass.in("norm"), cache.final_norm);
  for (std::size_t i = layers.size(); i-- > 0;) {
    const Pass layer = pass.in(static_cast<Index>(i));
    const bool is_last = i + 1 == layers.size();
    const bool is_dh = is_last && !has_final_norm;  // shown already
    if (!is_dh) {
      layer.see("doutput", is_last ? LayerNorm::kGradientFormula : gradient_formula(), dy);
    }
    dy = layers[i].backward(dy, cache.inputs[i], offsets, memory, layer, cache.layers[i], dz);
  }
  return dy;
}

Tensor Decoder::step(Tensor g, Index position, const std::vector<Index>& slots,
                     std::vector<DecoderLayer::Keys>& keys) const {
  Tensor x = std::move(g);
  for (std::size_t i = 0; i < layers.size(); ++i) x = layers[i].step(x, position, slots, keys[i]);
  if (!has_final_norm) return x;
  LayerNorm::Cache unused;
  return final_norm.forward(std::move(x), {}, unused);
}

const char* Decoder::gradient_formula() const {
  return layers[0].self_attention_residual.gradient_formula();
}

void Decoder::visit(const std::string& name, const ParameterVisitor& visitor) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].visit(name + "." + std::to_string(i), visitor);
  }
  if (has_final_norm) final_norm.visit(name + ".norm", visitor);
}

}  // namespace attn
