// Backward through time                                                      ★★★ 30 min, §1
//
// One sentence of T tokens, read by a recurrent layer that starts from h_0 = 0:
//
//     a_t = x_t W + b + h_(t−1) U          h_t = tanh(a_t)          t = 1 … T
//
// Row t − 1 of x [T, d] is x_t, and row t − 1 of h [T, n] is h_t, as forward computed it. dh_out
// [T, n] is the gradient that each h_t gets from its readers outside the layer. Return the
// gradients of x, W [d, n], U [n, n] and b [n].
#include "support/exercise.h"

struct RecurrentGradients {
  Tensor dx, dW, dU, db;
};

RecurrentGradients backward_through_time(const Tensor& dh_out, const Tensor& x, const Tensor& h,
                                         const Tensor& W, const Tensor& U) {
  not_yet();
}
