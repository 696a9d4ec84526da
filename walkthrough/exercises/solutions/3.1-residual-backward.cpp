// Look at what dy meets first. With post-norm it is the norm, on both paths. With pre-norm dy
// reaches x untouched past the sub-layer: that is the identity path.
#include "support/exercise.h"

using Backward = std::function<Tensor(const Tensor&)>;

Tensor post_norm_backward(const Tensor& dy, const Backward& norm_backward,
                          const Backward& sublayer_backward) {
  const Tensor dsum = norm_backward(dy);
  Tensor dx = sublayer_backward(dsum);
  add(dsum, dx);
  return dx;
}

Tensor pre_norm_backward(const Tensor& dy, const Backward& norm_backward,
                         const Backward& sublayer_backward) {
  Tensor dx = norm_backward(sublayer_backward(dy));
  add(dy, dx);
  return dx;
}
