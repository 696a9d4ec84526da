// Batch normalisation (Ioffe & Szegedy 2015), to compare with layer normalisation: the mean and the
// variance of each feature over all tokens of the batch, not of each token over its features.
//
// So a token's result depends on what else is in the batch. When there is no batch, in decoding,
// running means of both take their place.
#pragma once

#include "layers/parameter.h"
#include "layers/pass.h"

namespace attn {

struct BatchNorm {
  static constexpr Real kEpsilon = Real(1e-5);
  // How much of the running statistics a batch replaces.
  static constexpr Real kMomentum = Real(0.1);

  Parameter gamma;          // γ [d_model], ones at first
  Parameter beta;           // β [d_model], zeros at first
  Tensor running_mean;      // [d_model]; not parameters: no gradient leads to them
  Tensor running_variance;  // [d_model]

  struct Cache {
    Tensor x_hat;           // x̂ [T, d_model], the normalised input
    Tensor mean, variance;  // μ, σ² [d_model], of this batch
  };

  BatchNorm() = default;
  explicit BatchNorm(Index d_model);

  // y = γ ⊙ x̂ + β,  x̂ = (x − μ)/√(σ² + ε)       x, y [T, d_model]
  // If a backward pass follows, μ and σ² (biased) are those of the T > 1 tokens; if not, the
  // running ones.
  Tensor forward(Tensor x, const Pass& pass, Cache& cache) const;
  // dx = γ/σ ⊙ (dy − mean(dy) − x̂ ⊙ mean(dy ⊙ x̂))       dγ += Σ_t dy ⊙ x̂      dβ += Σ_t dy
  // with means over the tokens.
  Tensor backward(const Tensor& dy, const Cache& cache);
  // Once per training step: moves the running statistics towards those of the batch. The running
  // variance estimates that of all tokens ever, so it is the unbiased one.
  void update_running(const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
