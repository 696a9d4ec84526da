// One layer of the encoder (§3.1, Figure 1 left): self-attention, then the feed-forward network,
// each inside Add & Norm.
#pragma once

#include "layers/feed_forward.h"
#include "layers/multi_head_attention.h"
#include "layers/residual.h"
#include "model/config.h"

namespace attn {

struct EncoderLayer {
  MultiHeadAttention self_attention;
  Residual self_attention_residual;
  FeedForward feed_forward;
  Residual feed_forward_residual;

  struct Cache {
    MultiHeadAttention::Cache self_attention;
    Residual::Cache self_attention_residual;
    Tensor attended;  // [T, d_model], between the two sub-layers
    FeedForward::Cache feed_forward;
    Residual::Cache feed_forward_residual;
  };

  explicit EncoderLayer(const TransformerConfig& config);

  // What a layer is told besides x: where the sentences are, in x.
  using Context = Offsets;

  // x, y [T, d_model] packed
  Tensor forward(const Tensor& x, const Context& offsets, const Pass& pass, Cache& cache) const;
  Tensor backward(const Tensor& dy, const Tensor& x, const Context& offsets, const Pass& pass,
                  const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

// What both kinds of layer build from a configuration.
MultiHeadAttention make_attention(const TransformerConfig& config, Mask mask);
FeedForward make_feed_forward(const TransformerConfig& config);
Residual make_residual(const TransformerConfig& config);

}  // namespace attn
