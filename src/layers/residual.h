// Add & Norm (§3.1): what surrounds every sub-layer.
//
//     post-norm, the paper's:   y = LayerNorm(x + Dropout(Sublayer(x)))
//     pre-norm, a departure:    y = x + Dropout(Sublayer(LayerNorm(x)))
//
// With pre-norm nothing normalises the sum at the end of a stack, so the stack needs a norm of its
// own.
#pragma once

#include <functional>

#include "layers/dropout.h"
#include "layers/layer_norm.h"

namespace attn {

enum class NormPlacement { post, pre };

struct Residual {
  LayerNorm norm;
  NormPlacement placement = NormPlacement::post;
  double p_drop = 0;

  struct Cache {
    LayerNorm::Cache norm;
    Tensor normed;  // LayerNorm(x) [T, d_model], what the sub-layer saw; with pre-norm only
    DropoutMask mask;
  };

  Residual() = default;
  Residual(Index d_model, NormPlacement placement_, double p_drop_)
      : norm(d_model), placement(placement_), p_drop(p_drop_) {}

  // sublayer: its output for its input.                            x, y [T, d_model]
  using Sublayer = std::function<Tensor(const Tensor& x)>;
  Tensor forward(const Tensor& x, DropoutMasks& masks, Cache& cache,
                 const Sublayer& sublayer) const;
  // sublayer_backward: from the gradient of its output, and its input, to the gradient of its
  // input.
  using SublayerBackward = std::function<Tensor(const Tensor& dy, const Tensor& x)>;
  Tensor backward(const Tensor& dy, const Tensor& x, const Cache& cache,
                  const SublayerBackward& sublayer_backward);

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    norm.visit(name, visitor);
  }
};

}  // namespace attn
