// The backward pass of single sub-layers, gradient by gradient.
#pragma once

#include <functional>
#include <string>

#include "app/trace_value.h"
#include "layers/feed_forward.h"
#include "layers/residual.h"

namespace attn::app {

// A gradient on its way back: its numbers and its symbol.
struct Gradient {
  Tensor value;
  std::string symbol;
};

// A B
Tensor product(const ConstMatrixView& A, const ConstMatrixView& B);

// dx, from dx̂
constexpr const char* kNormFormula = "(dx̂ − mean(dx̂) − x̂ mean(dx̂ ⊙ x̂))/σ";

// dx̂ = γ ⊙ dy, which LayerNorm::backward computes on its way.
void add_dx_hat(TraceRecorder& out, const std::string& name, const LayerNorm& norm,
                const Tensor& dy, const std::string& dy_symbol, const Labels& rows);

// What surrounds a sub-layer that reads `x`: from dy to dx, of that name. `sublayer` leads from the
// gradient of the sub-layer's output to that of its input u.
struct AddAndNorm {
  std::string name, stage;
  Residual& residual;
  const Residual::Cache& cache;
  const Tensor& x;
  std::string dx_name, dx_symbol;
};

Gradient back_add_and_norm(
    TraceRecorder& out, const AddAndNorm& around, const Gradient& dy, const Labels& rows,
    const std::function<Tensor(const Gradient& df, const Tensor& u)>& sublayer);

Tensor back_feed_forward(TraceRecorder& out, const std::string& name, FeedForward& layer,
                         const FeedForward::Cache& cache, const Gradient& dy, const Tensor& x,
                         const Labels& rows);

// What an attention read, and where its gradients go.
struct Reads {
  const Tensor& x;
  const Tensor& memory;
  Mask mask;
  const Labels& queries;
  const Labels& keys;
  std::string memory_symbol;  // "u" in self-attention, or "z"
};

// Returns dx through the queries, and adds the gradient through keys and values to dmemory.
Tensor back_attention(TraceRecorder& out, const std::string& name, MultiHeadAttention& layer,
                      const MultiHeadAttention::Cache& cache, const Gradient& dy,
                      const Reads& reads, Tensor& dmemory);

// Self-attention reads u three times and collects the gradient of all three.
Tensor back_self_attention(TraceRecorder& out, const std::string& name, MultiHeadAttention& layer,
                           const MultiHeadAttention::Cache& cache, const Gradient& dy,
                           const Tensor& u, Mask mask, const Labels& rows);

}  // namespace attn::app
