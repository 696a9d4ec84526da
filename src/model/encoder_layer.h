// One layer of the encoder (§3.1, Figure 1 left): self-attention, then the feed-forward network,
// each inside Add & Norm. With a causal pattern it is the block of a decoder-only model.
#pragma once

#include "layers/feed_forward.h"
#include "layers/multi_head_attention.h"
#include "layers/residual.h"
#include "model/config.h"

namespace attn {

struct EncoderLayer {
  MultiHeadAttention self_attention;
  Residual self_residual;
  FeedForward feed_forward;
  Residual ffn_residual;

  struct Cache {
    MultiHeadAttention::Cache self_attention;
    Residual::Cache self_residual;
    FeedForward::Cache feed_forward;
    Residual::Cache ffn_residual;
  };

  explicit EncoderLayer(const TransformerConfig& config);

  // x, y [T, d_model], packed. The pattern says which tokens attend to which.
  Tensor forward(Tensor x, const AttentionPattern& pattern, const Pass& pass, Cache& cache) const;
  Tensor backward(const Tensor& dy, const AttentionPattern& pattern, const Pass& pass,
                  const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

// Sub-layers, as configured.
MultiHeadAttention make_attention(const TransformerConfig& config);
Residual make_residual(const TransformerConfig& config);

}  // namespace attn
