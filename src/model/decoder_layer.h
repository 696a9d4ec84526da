// One layer of the decoder (§3.1, Figure 1 right): "In addition to the two sub-layers in each
// encoder layer, the decoder inserts a third sub-layer", attention over the encoder's output,
// between them; and its self-attention is masked.
#pragma once

#include "model/encoder_layer.h"

namespace attn {

struct DecoderLayer {
  MultiHeadAttention self_attention;
  Residual self_residual;
  MultiHeadAttention cross_attention;  // queries from the decoder, keys and values from the encoder
  Residual cross_residual;
  FeedForward feed_forward;
  Residual ffn_residual;

  struct Cache {
    MultiHeadAttention::Cache self_attention;
    Residual::Cache self_residual;
    MultiHeadAttention::Cache cross_attention;
    Residual::Cache cross_residual;
    FeedForward::Cache feed_forward;
    Residual::Cache ffn_residual;
  };

  explicit DecoderLayer(const TransformerConfig& config);

  // Inputs other than x, for the time of a call.
  struct Context {
    const Tensor& z;                // [T_source, d_model], the encoder's output
    const AttentionPattern& self;   // causal: each token attends to itself and those before it
    const AttentionPattern& cross;  // each token attends to all of its source sentence
  };

  // x, y [T, d_model] packed
  Tensor forward(Tensor x, const Context& context, const Pass& pass, Cache& cache) const;
  // Returns dx, and adds this layer's part of the gradient of the encoder's output to dz.
  Tensor backward(const Tensor& dy, const Context& context, const Pass& pass, const Cache& cache,
                  Tensor& dz);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
