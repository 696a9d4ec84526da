// Backward through a GRU's step                                               ★★ 25 min, §1
//
// Each name is a vector of n numbers, and everything is element by element. The matrix products are
// done elsewhere: a_r, a_z and m = h U_n + b_n depend on the old state h, and all three sums on x.
//
//     r = σ(a_r)          z = σ(a_z)          ñ = tanh(a_n + r ⊙ m)
//     h′ = (1 − z) ⊙ ñ + z ⊙ h
//
// Given dh′ and the values that forward kept, return the gradients of the sums a_r, a_z and a_n, of
// m, and of h. In dh, count the direct path only: those through m, a_r and a_z lead through U.
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
