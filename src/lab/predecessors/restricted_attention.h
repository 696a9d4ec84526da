// Restricted self-attention (§4): a position attends to a window of r positions only, around its
// own or, causally, up to it. Work and weights grow with r·n, not n²; a path between distant
// positions takes n/r layers, not one.
//
// Projections and the work per pair are those of multi-head attention (§3.2.2). Pairs outside of
// the windows are never touched: no score, no mask.
#pragma once

#include "lab/predecessors/window.h"
#include "layers/multi_head_attention.h"

namespace attn {

struct RestrictedAttention {
  Window window;  // its dilation is 1
  MultiHeadAttention attention;

  struct Cache {
    Tensor Q, K;    // [T, h·d_k]
    Tensor V;       // [T, h·d_v]
    Tensor P;       // [T, h, r] the weights of a window; unused where it leaves the sentence
    Tensor concat;  // [T, h·d_v]
    DropoutMask weights_mask;
  };

  RestrictedAttention(const Window& window_, MultiHeadAttention attention_);

  // The attention by itself, without projections: Q, K [T, h·d_k] and V [T, h·d_v] to [T, h·d_v]. P
  // [T, h, r] receives the weights.
  Tensor attend(const Tensor& Q, const Tensor& K, const Tensor& V, const Offsets& offsets,
                const DropoutMask& mask, Tensor& P) const;

  // x, y [T, d_model], packed
  Tensor forward(const Tensor& x, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  Tensor backward(const Tensor& dy, const Tensor& x, const Offsets& offsets, const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    attention.visit(name, visitor);
  }
};

}  // namespace attn
