// LayerNorm(x + Dropout(Sublayer(x))), and its backward pass.
#include "layers/residual.h"

#include <utility>

namespace attn {

Tensor Residual::forward(const Tensor& x, DropoutMasks& masks, Cache& cache,
                         const Sublayer& sublayer) const {
  // With pre-norm the sub-layer reads a normalised copy of x.
  if (placement == NormPlacement::pre) cache.normed = norm.forward(x, cache.norm);

  // x + Dropout(Sublayer(·))
  Tensor sum = sublayer(placement == NormPlacement::pre ? cache.normed : x);
  cache.mask = masks.next(p_drop);
  dropout(cache.mask, sum);
  add(x, sum);

  // With post-norm the sum is normalised.
  if (placement == NormPlacement::post) return norm.forward(std::move(sum), cache.norm);
  return sum;
}

Tensor Residual::backward(const Tensor& dy, const Tensor& x, const Cache& cache,
                          const SublayerBackward& sublayer_backward) {
  // The sum x + Dropout(f) passes its gradient to both terms as it is.
  const bool post = placement == NormPlacement::post;
  Tensor dsum = post ? norm.backward(dy, cache.norm) : dy;
  Tensor df = dsum;
  dropout(cache.mask, df);
  Tensor dx = sublayer_backward(df, post ? x : cache.normed);

  // With pre-norm the sub-layer's input was the norm's output.
  if (!post) dx = norm.backward(dx, cache.norm);

  // Two paths led from x to y: through the sub-layer and around it.
  add(dsum, dx);
  return dx;
}

}  // namespace attn
