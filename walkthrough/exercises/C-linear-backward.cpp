// The backward pass of a linear layer, from shapes                    ★ 15 min, C-backpropagation
//
// Forward:  y = x W + b            x [T, in]   W [in, out]   b [out]   y [T, out]
// Given dy [T, out], return dx, and add to dW and db. They accumulate, since a layer may be used
// twice in one step.
//
// Hints. A gradient has the shape of its tensor. There is only one way to turn dy [T, out] and
// W [in, out] into dx [T, in]; transpose where needed. db: which elements of y does b_j reach?
//
// You need product(A, B), transposed(A), and loops over dW(i, j) and db[j].
#include "support/exercise.h"

Tensor linear_backward(const Tensor& dy, const Tensor& x, const Tensor& W, Tensor& dW, Tensor& db) {
  not_yet();
}
