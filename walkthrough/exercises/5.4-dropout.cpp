// Dropout without a stored mask                                               ★★ 20 min, §5.4
//
// Each element of x becomes 0 with probability p, and x/(1 − p) otherwise. No mask is stored: the
// seed and the element's number i (that of x[i]; a matrix is numbered row by row) decide alone.
// attn::RandomStream{seed, 0}.uniform(i) is in [0, 1), and element i is dropped if that is less
// than p. (uniform takes a std::uint64_t.)
//
// Write forward, in place, then backward, in place on the gradient. Backward is easier than you
// think.
#include "base/random.h"
#include "support/exercise.h"

void dropout_forward(std::uint64_t seed, double p, Tensor& x) {
  not_yet();
}

void dropout_backward(std::uint64_t seed, double p, Tensor& dx) {
  not_yet();
}
