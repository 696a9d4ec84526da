// FFN(x) = max(0, x W₁ + b₁) W₂ + b₂    eq. (2)
#include "layers/feed_forward.h"

#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

FeedForward::FeedForward(Index d_model, Index d_ff, double relu_dropout_)
    : inner(d_model, d_ff, true), outer(d_ff, d_model, true), relu_dropout(relu_dropout_) {}

Tensor FeedForward::forward(const Tensor& x, const Pass& pass, Cache& cache) const {
  pass.see("inner", "a = u W₁ + b₁", [&] { return inner.forward(x); });
  Tensor hidden = inner.forward_relu(x);  // [T, d_ff]
  const DropoutMask mask = pass.drop(relu_dropout, hidden);
  pass.see("hidden", "max(0, a)", hidden);

  Tensor y = outer.forward(hidden);
  pass.see("output", "FFN = max(0, a) W₂ + b₂", y);
  if (pass.keeps()) cache = {std::move(hidden), mask};
  return y;
}

Tensor FeedForward::backward(const Tensor& dy, const Tensor& x, const Pass& pass,
                             const Cache& cache) {
  Tensor dhidden = outer.backward(dy, cache.hidden);  // [T, d_ff]
  pass.drop(cache.hidden_mask, dhidden);
  pass.see("dhidden", "dmax(0, a) = dFFN W₂ᵀ", dhidden);

  // max(0, ·) passes the gradient where it passed the value.
  parallel_ranges(dhidden.elements(), 1 << 14, [&](Index begin, Index end) {
    kernels().vector_relu_backward(end - begin, cache.hidden.data() + begin,
                                   dhidden.data() + begin);
  });
  pass.see("dinner", "da = dmax(0, a) where a > 0, else 0", dhidden);
  Tensor dx = inner.backward(dhidden, x);
  pass.see("dx", "du = da W₁ᵀ", dx);
  return dx;
}

void FeedForward::visit(const std::string& name, const ParameterVisitor& visitor) {
  inner.visit(name + ".inner", visitor);
  outer.visit(name + ".outer", visitor);
}

}  // namespace attn
