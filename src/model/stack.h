// The encoder and the decoder (§3.1): each is a stack of N identical layers,
//
//     y = layer N(… layer 2(layer 1(x)))
//
// Post-norm needs nothing after the last layer. Pre-norm needs one more layer norm, because its
// layers leave their sums as they are.
#pragma once

#include <utility>
#include <vector>

#include "model/decoder_layer.h"
#include "model/encoder_layer.h"

namespace attn {

template <class Layer>
struct Stack {
  std::vector<Layer> layers;
  bool has_final_norm = false;  // with pre-norm only
  LayerNorm final_norm;

  struct Cache {
    std::vector<typename Layer::Cache> layers;
    std::vector<Tensor> inputs;  // inputs[i] [T, d_model] is what layer i read
    LayerNorm::Cache final_norm;
  };

  template <class... Options>
  explicit Stack(const TransformerConfig& config, Options... options)
      : has_final_norm(config.norm == NormPlacement::pre) {
    for (Index i = 0; i < config.layers; ++i) layers.emplace_back(config, options...);
    if (has_final_norm) final_norm = LayerNorm(config.d_model);
  }

  // x [T, d_model], embedded tokens; returns y [T, d_model].
  Tensor forward(Tensor x, const typename Layer::Context& context, const Pass& pass,
                 Cache& cache) const {
    cache.layers.resize(layers.size());
    cache.inputs.resize(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Pass layer = pass.in(static_cast<Index>(i));
      Tensor y = layers[i].forward(x, context, layer, cache.layers[i]);
      // What leaves the stack, the model shows itself.
      if (i + 1 < layers.size() || has_final_norm) {
        layer.see("output", y);
      }
      if (pass.keeps()) cache.inputs[i] = std::move(x);
      x = std::move(y);
    }
    return normed(std::move(x), pass, cache.final_norm);
  }

  // What follows the last layer.
  Tensor normed(Tensor x, const Pass& pass, LayerNorm::Cache& cache) const {
    if (!has_final_norm) return x;
    return final_norm.forward(std::move(x), pass.in("norm"), cache);
  }

  // Returns dx. The decoder's layers also add to dz, which each of them read.
  template <class... Dz>
  Tensor backward(Tensor dy, const typename Layer::Context& context, const Pass& pass,
                  const Cache& cache, Dz&... dz) {
    if (has_final_norm) {
      dy = final_norm.backward(dy, pass.in("norm"), cache.final_norm);
      pass.in(static_cast<Index>(layers.size()) - 1).see("doutput", dy);
    }
    for (std::size_t i = layers.size(); i-- > 0;) {
      const Pass layer = pass.in(static_cast<Index>(i));
      dy = layers[i].backward(dy, cache.inputs[i], context, layer, cache.layers[i], dz...);
      if (i > 0) pass.in(static_cast<Index>(i) - 1).see("doutput", dy);
    }
    return dy;
  }

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i].visit(name + "." + std::to_string(i), visitor);
    }
    if (has_final_norm) final_norm.visit(name + ".norm", visitor);
  }
};

using Encoder = Stack<EncoderLayer>;
using Decoder = Stack<DecoderLayer>;

}  // namespace attn
