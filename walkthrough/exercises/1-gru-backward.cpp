// Backward through a GRU's step                                               ★★ 25 min, §1
//
// All of n numbers, and everything element by element (the products with matrices are done
// elsewhere):
//
//     r = σ(a_r)          z = σ(a_z)          ñ = tanh(a_n + r ⊙ m)
//     h′ = (1 − z) ⊙ ñ + z ⊙ h
//
// Given dh′ and the values of forward, return the gradients of the three sums a_r, a_z and a_n, of
// m, and of h. Leave out of dh what reaches h through m, a_r and a_z: that passes through U.
#include "support/exercise.h"

struct GruValues {
  Tensor r, z, candidate, m, h;  // candidate: ñ
};

struct GruGradients {
  Tensor da_r, da_z, da_n, dm, dh;
};

GruGradients gru_step_backward(const Tensor& dh_new, const GruValues& values) {
  not_yet();
}
