// The encoder (§3.1): a stack of N identical layers. Post-norm needs nothing after the last layer;
// pre-norm needs one more layer norm, because its layers leave their sums as they are.
#pragma once

#include <vector>

#include "model/encoder_layer.h"

namespace attn {

struct Encoder {
  std::vector<EncoderLayer> layers;
  bool has_final_norm = false;  // with pre-norm only
  LayerNorm final_norm;

  struct Cache {
    std::vector<EncoderLayer::Cache> layers;
    std::vector<Tensor> inputs;  // inputs[i] [T, d_model] is what layer i read
    LayerNorm::Cache final_norm;
  };

  explicit Encoder(const TransformerConfig& config);

  // e [T, d_model], embedded tokens; returns z [T, d_model].
  Tensor forward(Tensor e, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  // Returns de.
  Tensor backward(Tensor dz, const Offsets& offsets, const Pass& pass, const Cache& cache);

  // The last step of de, for a watcher.
  const char* gradient_formula() const;

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
