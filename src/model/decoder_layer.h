// One layer of the decoder (§3.1, Figure 1 right): masked self-attention, attention over the
// encoder's output, then the feed-forward network, each inside Add & Norm.
#pragma once

#include "model/encoder_layer.h"

namespace attn {

struct DecoderLayer {
  MultiHeadAttention self_attention;  // causal
  Residual self_attention_residual;
  MultiHeadAttention cross_attention;  // queries from here, keys and values from the encoder
  Residual cross_attention_residual;
  FeedForward feed_forward;
  Residual feed_forward_residual;

  struct Cache {
    MultiHeadAttention::Cache self_attention;
    Residual::Cache self_attention_residual;
    Tensor attended;  // [T, d_model], after self-attention
    MultiHeadAttention::Cache cross_attention;
    Residual::Cache cross_attention_residual;
    Tensor informed;  // [T, d_model], after attention over the encoder's output
    FeedForward::Cache feed_forward;
    Residual::Cache feed_forward_residual;
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

  // Decoding one step: row r of x [R, d_model] is the newest position of its sentence. It looks at
  // its past, in layer number `own`, which it extends, and at the keys and values projected from
  // the encoder's output: one memory for the rows of each sentence.
  Tensor step(const Tensor& x, KeyValueCache& past, std::size_t own,
              const std::vector<MultiHeadAttention::Memory>& source) const;

  void visit(const std::string& name, const ParameterVisitor& visitor);

 private:
  // The three sub-layers in their order, with either way of attending: whole sentences, or one
  // step.
  Tensor through(const Tensor& x, const Residual::Sublayer& attend,
                 const Residual::Sublayer& attend_to_source, const Pass& pass, Cache& cache) const;
};

}  // namespace attn
