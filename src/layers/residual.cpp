// y = LayerNorm(x + Dropout(f)), or y = x + Dropout(f) with f computed from LayerNorm(x).
#include "layers/residual.h"

#include <utility>

namespace attn {

Tensor Residual::forward(const Tensor& x, const Sublayer& sublayer, const Pass& pass,
                         Cache& cache) const {
  // With pre-norm the sub-layer reads LayerNorm(x).
  const bool pre = placement == NormPlacement::pre;
  Tensor normed;
  if (pre) {
    normed = norm.forward(x, pass, cache.norm);
    pass.as("normed", "u").see(normed);
  }

  // x + Dropout(f)
  Tensor sum = sublayer(pre ? normed : x);
  cache.mask = pass.drop(p_drop, sum);
  add(x, sum, pre ? Name(pass) : pass.as("sum", "s"));
  if (pass.keeps()) cache.normed = std::move(normed);

  // With post-norm the sum is normalised.
  if (pre) return sum;
  return norm.forward(std::move(sum), pass, cache.norm);
}

Tensor Residual::backward(const Tensor& dy, const Tensor& x,
                          const SublayerBackward& sublayer_backward, const Pass& pass,
                          const Cache& cache) {
  // The sum x + Dropout(f) passes its gradient to both terms as it is.
  const bool pre = placement == NormPlacement::pre;
  const Tensor dsum = pre ? dy : norm.backward(dy, pass, cache.norm);
  if (!pre) pass.as("dsum", "ds").see(dsum);
  Tensor df = dsum;
  pass.drop(cache.mask, df);

  // Back through the sub-layer; with pre-norm, what it read was the norm's output.
  Tensor dx = sublayer_backward(df, pre ? cache.normed : x);
  if (pre) dx = norm.backward(dx, pass, cache.norm);

  // Two paths led from x to y: through the sub-layer and around it.
  add(dsum, dx, pass);
  return dx;
}

}  // namespace attn
