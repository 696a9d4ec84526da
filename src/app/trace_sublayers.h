// The forward pass of single sub-layers, value by value.
#pragma once

#include <string>

#include "app/trace_value.h"
#include "layers/feed_forward.h"
#include "layers/residual.h"

namespace attn::app {

// Where a value stands: the recorder, and the tokens that its rows are.
struct Place {
  TraceRecorder& out;
  const Labels& rows;
};

// A parameter, which is held by a layer rather than made by a function.
void add_weight(TraceRecorder& out, const std::string& name, const std::string& symbol,
                const std::string& section, Maker holder, const Parameter& parameter,
                const Labels& rows = {});

// x̂, μ and 1/σ of a layer norm whose input was `x`, then y, of that name.
void trace_norm(const Place& at, const std::string& name, const LayerNorm& norm,
                const LayerNorm::Cache& cache, const Tensor& x, const std::string& x_symbol,
                const std::string& y_name, const std::string& y_symbol, const Tensor& y);

// The layer that a sub-layer is in.
struct LayerPlace {
  const Place& at;
  std::string name;   // "encoder.0"
  std::string title;  // "Encoder, layer 0"
};

// An attention inside Add & Norm: it reads x, and memory (x itself if the symbol is empty).
struct AttentionSublayer {
  std::string name;  // "self_attention"
  const MultiHeadAttention& attention;
  const MultiHeadAttention::Cache& cache;
  const Residual& residual;
  const Residual::Cache& residual_cache;
  std::string memory_symbol;
  const Labels& keys;
  Mask mask;
  std::string x_symbol;
  const Tensor& x;
  std::string y_name;
  const Tensor& y;
};
void trace_attention_sublayer(const LayerPlace& layer, const AttentionSublayer& sublayer);

// The feed-forward network inside Add & Norm. What it makes is the layer's output; with post-norm
// the last layer's is z (or h). If y is empty, because no cache keeps it, it is made again from the
// sum. Returns y.
struct FeedForwardSublayer {
  const FeedForward& feed_forward;
  const FeedForward::Cache& cache;
  const Residual& residual;
  const Residual::Cache& residual_cache;
  std::string x_symbol;
  const Tensor& x;
  std::string y_name, y_symbol;
  Tensor y;
};
Tensor trace_feed_forward_sublayer(const LayerPlace& layer, const FeedForwardSublayer& sublayer);

}  // namespace attn::app
