// One layer of the decoder (§3.1, Figure 1 right): "In addition to the two sub-layers in each
// encoder layer, the decoder inserts a third sub-layer", attention over the encoder's output,
// between them; and its self-attention is masked.
#pragma once

#include "model/encoder_layer.h"

namespace attn {

struct DecoderLayer : EncoderLayer {
  MultiHeadAttention cross_attention;  // queries from here, keys and values from the encoder
  Residual cross_attention_residual;

  struct Cache : EncoderLayer::Cache {
    MultiHeadAttention::Cache cross_attention;
    Residual::Cache cross_attention_residual;
    Tensor informed;  // [T, d_model], after attention over the encoder's output
  };

  explicit DecoderLayer(const TransformerConfig& config);

  // What a layer is told besides x: where the sentences are, in x and in the encoder's output.
  struct Context {
    const Offsets& offsets;
    const Tensor& z;  // [T_source, d_model]
    const Offsets& z_offsets;
  };

  // x, y [T, d_model] packed
  Tensor forward(const Tensor& x, const Context& context, const Pass& pass, Cache& cache) const;
  // Returns dx and adds this layer's part of the encoder output's gradient to dz.
  Tensor backward(const Tensor& dy, const Tensor& x, const Context& context, const Pass& pass,
                  const Cache& cache, Tensor& dz);

  // As an encoder layer's, and a look at the keys and values projected from the encoder's output:
  // one memory for the rows of each sentence.
  Tensor step(const Tensor& x, KeyValueCache& past, std::size_t own,
              const std::vector<MultiHeadAttention::Memory>& source) const;

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
