// One layer of the encoder (§3.1, Figure 1 left): self-attention, then the feed-forward network,
// each inside Add & Norm. With a causal mask it is the block of a decoder-only model.
#pragma once

#include "layers/feed_forward.h"
#include "layers/multi_head_attention.h"
#include "layers/residual.h"
#include "model/config.h"
#include "model/key_value_cache.h"

namespace attn {

struct EncoderLayer {
  Mask mask = Mask::none;
  MultiHeadAttention self_attention;
  Residual self_attention_residual;
  FeedForward feed_forward;
  Residual feed_forward_residual;

  struct Cache {
    MultiHeadAttention::Cache self_attention;
    Residual::Cache self_attention_residual;
    Tensor attended;  // [T, d_model], after self-attention
    FeedForward::Cache feed_forward;
    Residual::Cache feed_forward_residual;
  };

  explicit EncoderLayer(const TransformerConfig& config, Mask mask_ = Mask::none);

  // What a layer is told besides x: where the sentences are, in x.
  using Context = Offsets;

  // x, y [T, d_model] packed
  Tensor forward(const Tensor& x, const Context& offsets, const Pass& pass, Cache& cache) const;
  Tensor backward(const Tensor& dy, const Tensor& x, const Context& offsets, const Pass& pass,
                  const Cache& cache);
  // Decoding one step, as layer number `own`: row r of x [R, d_model] is the newest position of its
  // sentence, and looks at its past, which it extends.
  Tensor step(const Tensor& x, KeyValueCache& past, std::size_t own) const;

  void visit(const std::string& name, const ParameterVisitor& visitor);

 protected:
  // The two sub-layers, each inside Add & Norm: self-attention, of whole sentences or of one step,
  Tensor attend(const Tensor& x, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  Tensor attend_backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                         const Pass& pass, const Cache& cache);
  Tensor attend_step(const Tensor& x, KeyValueCache& past, std::size_t own) const;
  // and the feed-forward network.
  Tensor transform(const Tensor& x, const Pass& pass, Cache& cache) const;
  Tensor transform_backward(const Tensor& dy, const Tensor& x, const Pass& pass,
                            const Cache& cache);
};

// What layers build from a configuration.
MultiHeadAttention make_attention(const TransformerConfig& config);
Residual make_residual(const TransformerConfig& config);

}  // namespace attn
