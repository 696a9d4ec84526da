// Arithmetic on n numbers next to each other. Functions here run on the calling thread.
#pragma once

#include <cstdint>

#include "base/real.h"

namespace attn {

void vector_add(Index n, const Real* x, Real* y);                  // y += x
void vector_axpy(Index n, Real a, const Real* x, Real* y);         // y += a x
void vector_scale(Index n, Real a, Real* x);                       // x ← a x
void vector_scaled_copy(Index n, Real a, const Real* x, Real* y);  // y ← a x
void vector_exp(Index n, const Real* x, Real* y);                  // y ← eˣ; y may be x
void vector_relu_backward(Index n, const Real* h, Real* dh);       // dh ← 0 where h is not > 0
double vector_sum_of_squares(Index n, const Real* x);              // Σ x², added up in double

// Inverted dropout, in place: element i is kept, and multiplied by 1/(1 − p), if random number
// first + i of (seed, stream) says so, and becomes 0 otherwise. The number is
// philox_word(seed, stream, first + i); an element is dropped if it is below p · 2³². 0 ≤ p < 1.
void vector_dropout(Index n, double p, std::uint64_t seed, std::uint64_t stream,
                    std::uint64_t first, Real* x);

// One Adam step (Kingma & Ba 2015, algorithm 1) on n weights w with gradients g and moments m, v.
//     m ← β₁ m + (1 − β₁) g      v ← β₂ v + (1 − β₂) g²
//     w ← w − rate · m̂ / (√v̂ + ε),   m̂ = m · correction1,   v̂ = v · correction2
struct AdamStep {
  Real rate, beta1, beta2, epsilon;
  Real correction1, correction2;  // 1/(1 − β₁ᵗ), 1/(1 − β₂ᵗ)
  Real gradient_scale;            // multiplies g first: clipping
};
void vector_adam(Index n, const AdamStep& step, const Real* g, Real* w, Real* m, Real* v);

}  // namespace attn
