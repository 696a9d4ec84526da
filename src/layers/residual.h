// Add & Norm (§3.1): what surrounds every sub-layer.
//
//     post-norm, the paper's:   y = LayerNorm(x + Dropout(Sublayer(x)))
//     pre-norm, a departure:    y = x + Dropout(Sublayer(LayerNorm(x)))
//
// In both, u is what the sub-layer reads, x or LayerNorm(x), and f = Sublayer(u) what it answers.
// With pre-norm nothing normalises the sum at the end of a stack, so the stack needs a norm of its
// own.
#pragma once

#include <functional>

#include "layers/layer_norm.h"

namespace attn {

enum class NormPlacement { post, pre };

struct Residual {
  LayerNorm norm;
  NormPlacement placement = NormPlacement::post;
  double p_drop = 0;

  struct Cache {
    LayerNorm::Cache norm;
    Tensor normed;  // u = LayerNorm(x) [T, d_model]; with pre-norm only
    DropoutMask mask;
  };

  Residual() = default;
  Residual(Index d_model, NormPlacement placement_, double p_drop_)
      : norm(d_model), placement(placement_), p_drop(p_drop_) {}

  // A sub-layer, u → f, and its backward pass, (df, u) → du. All are [T, d_model].
  using Sublayer = std::function<Tensor(const Tensor& u)>;
  using SublayerBackward = std::function<Tensor(const Tensor& df, const Tensor& u)>;

  // x → y [T, d_model]
  Tensor forward(const Tensor& x, const Sublayer& sublayer, const Pass& pass, Cache& cache) const;
  // Returns dx, the sum over both paths: through the sub-layer and around it.
  Tensor backward(const Tensor& dy, const Tensor& x, const SublayerBackward& sublayer_backward,
                  const Pass& pass, const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    norm.visit(name, visitor);
  }
};

}  // namespace attn
