// Add & Norm (§3.1): what surrounds every sub-layer.
//
//     post-norm, the paper's:   y = LayerNorm(x + Dropout(Sublayer(x)))
//     pre-norm, a departure:    y = x + Dropout(Sublayer(LayerNorm(x)))
//
// In both, u is the sub-layer's input and f its output:
//
//     u = before(x),   f = Sublayer(u),   y = after(x, f)
//
// With pre-norm nothing normalises the sum at the end of a stack, so the stack needs a norm of its
// own.
#pragma once

#include "layers/layer_norm.h"

namespace attn {

enum class NormPlacement { post, pre };

struct Residual {
  LayerNorm norm;
  NormPlacement placement = NormPlacement::post;
  double p_drop = 0;

  struct Cache {
    LayerNorm::Cache norm;
    Tensor normed;  // LayerNorm(x) [T, d_model], which the sub-layer read; with pre-norm only
    DropoutMask mask;
  };

  Residual() = default;
  Residual(Index d_model, NormPlacement placement_, double p_drop_)
      : norm(d_model), placement(placement_), p_drop(p_drop_) {}

  // u [T, d_model]: x itself, or with pre-norm LayerNorm(x), which stays in the cache until
  // `after`.
  const Tensor& before(const Tensor& x, const Pass& pass, Cache& cache) const;
  // y [T, d_model]
  Tensor after(const Tensor& x, Tensor f, const Pass& pass, Cache& cache) const;

  // What before(x) was.
  const Tensor& sublayer_input(const Tensor& x, const Cache& cache) const;
  // The gradients of the two terms of the sum: dsum of x, on the path around the sub-layer, and df
  // of f.
  struct Terms {
    Tensor dsum, df;
  };
  Terms after_backward(const Tensor& dy, const Pass& pass, const Cache& cache);
  // Returns dx, the sum over both paths.
  Tensor before_backward(Tensor du, const Tensor& dsum, const Pass& pass, const Cache& cache);

  // The last step of y, for a watcher of y.
  const char* formula() const {
    return placement == NormPlacement::post ? "= γ ⊙ x̂ + β" : "= x + f";
  }
  // The last step of dx.
  const char* gradient_formula() const {
    return placement == NormPlacement::post ? "= ds + du"
                                            : "= ds + (dx̂ − mean(dx̂) − x̂ mean(dx̂ ⊙ x̂))/σ";
  }

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    norm.visit(name, visitor);
  }
};

}  // namespace attn
