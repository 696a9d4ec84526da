// Layer normalisation (Ba et al. 2016), the Norm of Add & Norm (§3.1). Each token by itself: its
// d_model numbers get mean 0 and variance 1, then a learned scale γ and shift β.
#pragma once

#include "layers/parameter.h"
#include "layers/pass.h"

namespace attn {

struct LayerNorm {
  static constexpr Real kEpsilon = Real(1e-5);  // the paper does not name its ε

  Parameter gamma;  // γ [d_model], ones at first
  Parameter beta;   // β [d_model], zeros at first

  struct Cache {
    Tensor x_hat;    // x̂ [T, d_model], the normalised input
    Tensor inv_std;  // 1/σ [T]
  };

  LayerNorm() = default;
  explicit LayerNorm(Index d_model);

  // y = γ ⊙ x̂ + β,  x̂ = (x − μ)/σ,  σ = √(variance + ε), with μ and the variance (biased) over the
  // last axis       x, y [T, d_model].  The memory of x becomes x̂: move it in if it is not needed.
  Tensor forward(Tensor x, const Pass& pass, Cache& cache) const;
  // dx = (g − mean(g) − x̂ mean(g ⊙ x̂))/σ,  g = γ ⊙ dy       dγ += Σ_t dy ⊙ x̂      dβ += Σ_t dy
  Tensor backward(const Tensor& dy, const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
