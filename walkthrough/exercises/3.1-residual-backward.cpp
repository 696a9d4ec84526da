// Add & Norm, backward, for both placements of the norm                        ★★ 20 min, §3.1
//
//     post-norm, the paper's:   y = Norm(x + Sublayer(x))
//     pre-norm, a departure:    y = x + Sublayer(Norm(x))
//
// You are given the backward passes of both parts. norm_backward(dy) turns the gradient of the
// norm's output into that of its input, and adds to the gradients of γ and β; sublayer_backward(df)
// does the same for the sub-layer. Return dx.
//
// Hint. x takes two paths. Each brings a gradient back, and the two add up. add(a, b) does b += a.
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
