// The backward pass of a linear layer, from shapes                    ★ 15 min, C-backpropagation
//
// Forward:  y = x W + b            x [T, in]   W [in, out]   b [out]   y [T, out]
// Given dy [T, out], fill in the gradients. They accumulate: add to dW and db what this call finds,
// since a layer may be used twice in one step. dx is returned.
//
// Hints. A gradient has the shape of its thing. There is one way to multiply dy [T, out] and
// W [in, out] to dx [T, in]; transpose where needed. db: which elements of y does b_j reach?
//
// You need product(A, B), transposed(A), and loops over dW(i, j) and db[j].
#include "support/exercise.h"

Tensor linear_backward(const Tensor& dy, const Tensor& x, const Tensor& W, Tensor& dW, Tensor& db) {
  not_yet();
}
