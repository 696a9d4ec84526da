// Dropout that is not stored                                                  ★★ 20 min, §5.4
//
// Each element of x becomes 0 with probability p, and x/(1 − p) otherwise. Which ones is not kept
// anywhere: it depends on the seed and on the element's number i (x[i]; a matrix is counted row
// after row) alone, by attn::RandomStream{seed, 0}.uniform(i), which is in [0, 1): the element is
// dropped if it is less than p. (It takes its number as std::uint64_t.)
//
// Write forward, in place; then backward, in place on the gradient. The second is easier than you
// think.
#include "base/random.h"
#include "support/exercise.h"

void dropout_forward(std::uint64_t seed, double p, Tensor& x) {
  not_yet();
}

void dropout_backward(std::uint64_t seed, double p, Tensor& dx) {
  not_yet();
}
