// y = LayerNorm(x + Dropout(f)), or y = x + Dropout(f) with f computed from LayerNorm(x).
#include "layers/residual.h"

#include <utility>

namespace attn {

const Tensor& Residual::before(const Tensor& x, const Pass& pass, Cache& cache) const {
  if (placement == NormPlacement::post) return x;
  cache.normed = norm.forward(x, pass, cache.norm);
  pass.see("normed", "u = γ ⊙ x̂ + β", cache.normed);
  return cache.normed;
}

Tensor Residual::after(const Tensor& x, Tensor f, const Pass& pass, Cache& cache) const {
  // x + Dropout(f)
  cache.mask = pass.drop(p_drop, f);
  Tensor sum = std::move(f);
  add(x, sum);
  if (!pass.keeps()) cache.normed = {};

  // With post-norm the sum is normalised.
  if (placement == NormPlacement::pre) return sum;
  pass.see("sum", "s = x + f", sum);
  return norm.forward(std::move(sum), pass, cache.norm);
}

const Tensor& Residual::sublayer_input(const Tensor& x, const Cache& cache) const {
  return placement == NormPlacement::post ? x : cache.normed;
}

Residual::Terms Residual::after_backward(const Tensor& dy, const Pass& pass, const Cache& cache) {
  // The sum x + Dropout(f) passes its gradient to both terms as it is.
  const bool post = placement == NormPlacement::post;
  Tensor dsum = post ? norm.backward(dy, pass, cache.norm) : dy;
  if (post) pass.see("dsum", LayerNorm::kGradientFormula, dsum);
  Tensor df = dsum;
  pass.drop(cache.mask, df);
  return {std::move(dsum), std::move(df)};
}

Tensor Residual::before_backward(Tensor du, const Tensor& dsum, const Pass& pass,
                                 const Cache& cache) {
  // With pre-norm the sub-layer's input was the norm's output.
  Tensor dx = std::move(du);
  if (placement == NormPlacement::pre) dx = norm.backward(dx, pass, cache.norm);

  // Two paths led from x to y: through the sub-layer and around it.
  add(dsum, dx);
  return dx;
}

}  // namespace attn
