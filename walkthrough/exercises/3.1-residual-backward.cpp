// Add & Norm, backward, for both placements of the norm                        ★★ 20 min, §3.1
//
//     post-norm, the paper's:   y = Norm(x + Sublayer(x))
//     pre-norm, a departure:    y = x + Sublayer(Norm(x))
//
// You are given the backward passes of the two parts: norm_backward(dy) returns the gradient of the
// norm's input from that of its output, and adds to the gradients of γ and β; sublayer_backward(df)
// likewise. Return dx.
//
// Hint. x goes two ways. Each way brings a gradient back, and they add up. add(a, b) does b += a.
#include "support/exercise.h"

using Backward = std::function<Tensor(const Tensor&)>;

Tensor post_norm_backward(const Tensor& dy, const Backward& norm_backward,
                          const Backward& sublayer_backward) {
  not_yet();
}

Tensor pre_norm_backward(const Tensor& dy, const Backward& norm_backward,
                         const Backward& sublayer_backward) {
  not_yet();
}
