// A convolution along the sentence                                            ★★ 25 min, §3.3
//
// "Another way of describing this is as two convolutions with kernel size 1." Write a convolution
// of any odd width k, and see. Token t looks at its k neighbours t − k/2 … t + k/2, each with a
// matrix of its own:
//
//     y_t = Σ_s x_(t + s − k/2) W_s + b        s = 0 … k − 1
//
// x [T, in], W a list of k matrices [in, out], b [out], y [T, out]. Leave out the terms that reach
// outside the sentence.
#include "support/exercise.h"

Tensor convolution(const Tensor& x, const std::vector<Tensor>& W, const Tensor& b) {
  not_yet();
}
