// Adam (Kingma & Ba 2015) with the paper's constants (§5.3): β₁ = 0.9, β₂ = 0.98, ε = 1e-9.
#pragma once

#include <map>
#include <string>

#include "model/sequence_model.h"

namespace attn {

struct Adam {
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.98, kEpsilon = 1e-9;

  // Running means of each parameter's gradient and of its square, by the parameter's name.
  struct Moments {
    Tensor m, v;
  };
  std::map<std::string, Moments> moments;

  // Moves every weight of the model once. step counts from 1; gradients are multiplied by
  // gradient_scale first, which is 1 unless they are clipped.
  //     m ← β₁ m + (1 − β₁) g           v ← β₂ v + (1 − β₂) g²
  //     w ← w − rate · m̂/(√v̂ + ε),      m̂ = m/(1 − β₁ᵗ),   v̂ = v/(1 − β₂ᵗ)
  void update(SequenceModel& model, Index step, double rate, double gradient_scale = 1);
};

}  // namespace attn
