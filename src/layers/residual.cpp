// y = LayerNorm(x + Dropout(f)), or y = x + Dropout(f) with f computed from LayerNorm(x).
#include "layers/residual.h"

#include <utility>

namespace attn {

const Tensor& Residual::before(Tensor x, const Pass& pass, Cache& cache) const {
  if (placement == NormPlacement::post) {
    cache.u = std::move(x);
  } else {
    cache.u = norm.forward(x, pass, cache.norm);  // of a copy
    cache.x = std::move(x);
  }
  return cache.u;
}

Tensor Residual::after(Tensor f, const Pass& pass, Cache& cache) const {
  cache.mask = pass.drop(p_drop, f);  // f ← Dropout(f)
  const bool pre = placement == NormPlacement::pre;
  add(pre ? cache.x : cache.u, f);  // f is now x + Dropout(f)
  if (pre) return f;
  pass.see("sum", f);
  return norm.forward(std::move(f), pass, cache.norm);
}

Residual::TwoPaths Residual::after_backward(const Tensor& dy, const Pass& pass,
                                            const Cache& cache) {
  // Through the norm, if it is after the sum. The sum passes its gradient to both terms unchanged.
  Tensor dsum = placement == NormPlacement::post ? norm.backward(dy, cache.norm) : dy;
  pass.see("dsum", dsum);
  Tensor df = dsum;  // a copy
  dropout(cache.mask, df);
  return {std::move(dsum), std::move(df)};
}

Tensor Residual::before_backward(const Tensor& du, Tensor around, const Pass& pass,
                                 const Cache& cache) {
  Tensor dx = std::move(around);
  if (placement == NormPlacement::post) {
    add(du, dx);  // dx += du
    return dx;
  }
  const Tensor dnorm = norm.backward(du, cache.norm);
  pass.see("dnorm", dnorm);
  add(dnorm, dx);
  return dx;
}

}  // namespace attn
