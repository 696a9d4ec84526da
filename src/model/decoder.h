// The decoder (§3.1): a stack of N identical layers. Every one of them attends to the encoder's top
// output, so that output collects gradient from all N.
#pragma once

#include <vector>

#include "model/decoder_layer.h"

namespace attn {

struct Decoder {
  std::vector<DecoderLayer> layers;
  bool has_final_norm = false;  // with pre-norm only
  LayerNorm final_norm;

  struct Cache {
    std::vector<DecoderLayer::Cache> layers;
    std::vector<Tensor> inputs;  // inputs[i] [T, d_model] is what layer i read
    LayerNorm::Cache final_norm;
  };

  explicit Decoder(const TransformerConfig& config);

  // g [T, d_model], embedded target tokens; returns h [T, d_model].
  Tensor forward(Tensor g, const Offsets& offsets, const DecoderLayer::Memory& memory,
                 const Pass& pass, Cache& cache) const;
  // Returns dg; adds to dz.
  Tensor backward(Tensor dh, const Offsets& offsets, const DecoderLayer::Memory& memory,
                  const Pass& pass, const Cache& cache, Tensor& dz);
  // One step of decoding; see DecoderLayer::step. g [R, d_model], one entry of keys per layer;
  // returns h.
  Tensor step(Tensor g, Index position, const std::vector<Index>& slots,
              std::vector<DecoderLayer::Keys>& keys) const;

  // The last step of dg, for a watcher.
  const char* gradient_formula() const;

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
