// A step of Adam                                                              ★★ 20 min, §5.3
//
//     m ← β₁ m + (1 − β₁) g           v ← β₂ v + (1 − β₂) g²
//     w ← w − rate · m̂/(√v̂ + ε)      m̂ = m/(1 − β₁ᵗ)     v̂ = v/(1 − β₂ᵗ)
//
// β₁ = 0.9, β₂ = 0.98, ε = 1e-9. Change w, m and v in place; all have the same shape as g. step is
// t, and counts from 1.
#include "support/exercise.h"

void adam_step(Index step, double rate, const Tensor& g, Tensor& w, Tensor& m, Tensor& v) {
  not_yet();
}
