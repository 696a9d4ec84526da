// FFN(x) = max(0, x W₁ + b₁) W₂ + b₂    eq. (2)
#include "layers/feed_forward.h"

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

FeedForward::FeedForward(Index d_model, Index d_ff, double relu_dropout_)
    : inner(d_model, d_ff, true), outer(d_ff, d_model, true), relu_dropout(relu_dropout_) {}

Tensor FeedForward::forward(const Tensor& x, DropoutMasks& masks, Cache& cache) const {
  cache.hidden = inner.forward_relu(x);  // [T, d_ff]
  cache.hidden_mask = masks.next(relu_dropout);
  dropout(cache.hidden_mask, cache.hidden);
  return outer.forward(cache.hidden);
}

Tensor FeedForward::backward(const Tensor& dy, const Tensor& x, const Cache& cache) {
  Tensor dhidden = outer.backward(dy, cache.hidden);  // [T, d_ff]
  dropout(cache.hidden_mask, dhidden);

  // max(0, ·) passes the gradient where it passed the value.
  parallel_ranges(dhidden.elements(), 1 << 14, [&](Index begin, Index end) {
    kernels().vector_relu_backward(end - begin, cache.hidden.data() + begin,
                                   dhidden.data() + begin);
  });
  return inner.backward(dhidden, x);
}

void FeedForward::visit(const std::string& name, const ParameterVisitor& visitor) {
  inner.visit(name + ".inner", visitor);
  outer.visit(name + ".outer", visitor);
}

}  // namespace attn
