// FFN(x) = max(0, x W₁ + b₁) W₂ + b₂    eq. (2)
#include "layers/feed_forward.h"

#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

FeedForward::FeedForward(Index d_model, Index d_ff, double relu_dropout_)
    : inner(d_model, d_ff, true), outer(d_ff, d_model, true), relu_dropout(relu_dropout_) {}

Tensor FeedForward::forward(const Tensor& x, const Pass& pass, Cache& cache) const {
  pass.see("u", x);
  if (pass.is_watched()) pass.see("inner", inner.forward(x));  // stored only for an observer
  Tensor hidden = inner.forward_relu(x);                       // [T, d_ff]
  const DropoutMask mask = pass.drop(relu_dropout, hidden);
  pass.see("hidden", hidden);

  Tensor y = outer.forward(hidden);
  pass.see("output", y);
  if (pass.keeps()) cache = {std::move(hidden), mask};
  return y;
}

Tensor FeedForward::backward(const Tensor& dy, const Tensor& x, const Pass& pass,
                             const Cache& cache) {
  pass.see("doutput", dy);
  Tensor dhidden = outer.backward(dy, cache.hidden);  // [T, d_ff]
  pass.see("dhidden", dhidden);

  // Through dropout, then max(0, ·). The gradient passes where the value did: where hidden is not
  // 0.
  Tensor& dinner = dhidden;
  dropout(cache.hidden_mask, dinner);
  parallel_ranges(dinner.elements(), 1 << 14, [&](Index begin, Index end) {
    kernels().vector_relu_backward(end - begin, cache.hidden.data() + begin, dinner.data() + begin);
  });
  pass.see("dinner", dinner);
  Tensor dx = inner.backward(dinner, x);
  pass.see("du", dx);
  return dx;
}

void FeedForward::visit(const std::string& name, const ParameterVisitor& visitor) {
  inner.visit(name + ".inner", visitor);
  outer.visit(name + ".outer", visitor);
}

}  // namespace attn
