// Rotary positions                                                            ★★ 20 min, §7
//
// x [T, d] holds the queries or the keys of one head, d even; row t is at position first + t,
// counted from 0. Turn every pair of the row's numbers by an angle that grows with the position:
//
//     θ_i = 10000^(−2i/d)          φ = position · θ_i          i = 0 … d/2 − 1
//     y_2i     = x_2i cos φ − x_2i+1 sin φ
//     y_2i+1   = x_2i sin φ + x_2i+1 cos φ
//
// Then write its backward pass, from dy to dx.
#include "support/exercise.h"

Tensor turned(const Tensor& x, Index first) {
  not_yet();
}

Tensor turned_backward(const Tensor& dy, Index first) {
  not_yet();
}
