// Add & Norm (§3.1): what surrounds every sub-layer, whose input is u and whose output is f.
//
//     post-norm, the paper's:   u = x              y = LayerNorm(x + Dropout(f))
//     pre-norm, a departure:    u = LayerNorm(x)   y = x + Dropout(f)
//
// With pre-norm nothing normalises the sum at the end of a stack, so the stack needs a norm of its
// own.
#pragma once

#include "layers/layer_norm.h"
#include "layers/pass.h"

namespace attn {

enum class NormPlacement { post, pre };

struct Residual {
  LayerNorm norm;
  NormPlacement placement = NormPlacement::post;
  double p_drop = 0;

  struct Cache {  // what `before` leaves for `after`, and forward for backward
    Tensor u;     // [T, d_model], what the sub-layer reads
    Tensor x;     // [T, d_model] with pre-norm; empty with post-norm, where x is u
    LayerNorm::Cache norm;
    DropoutMask mask;
  };

  Residual(Index d_model, NormPlacement placement_, double p_drop_)
      : norm(d_model), placement(placement_), p_drop(p_drop_) {}

  // Before the sub-layer: returns u, which is in the cache, and keeps x until `after`. (Tensors
  // that are taken by value are moved in with std::move, which hands them over without a copy.)
  const Tensor& before(Tensor x, const Pass& pass, Cache& cache) const;
  // After it: f → y. All are [T, d_model].
  Tensor after(Tensor f, const Pass& pass, Cache& cache) const;

  // The backward pass. The sum x + Dropout(f) passes its gradient on to both terms, around the
  // sub-layer and, as df, through it.
  struct TwoPaths {
    Tensor around, df;
  };
  TwoPaths after_backward(const Tensor& dy, const Pass& pass, const Cache& cache);
  // Where they meet again: returns dx, from `around` and the gradient of the sub-layer's input.
  Tensor before_backward(const Tensor& du, Tensor around, const Pass& pass, const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    norm.visit(name, visitor);
  }
};

}  // namespace attn
