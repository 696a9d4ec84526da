// FFN(x) = max(0, x W₁ + b₁) W₂ + b₂    eq. (2)
#include "layers/feed_forward.h"

#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

FeedForward::FeedForward(Index d_model, Index d_ff, double relu_dropout_)
    : inner(d_model, d_ff, true, 1, "W₁"),
      outer(d_ff, d_model, true, 1, "W₂"),
      relu_dropout(relu_dropout_) {}

Tensor FeedForward::forward(const Tensor& x, const Pass& pass, Cache& cache) const {
  Tensor hidden = inner.forward_relu(x, pass.as("inner", "a"), pass.as("hidden", ""));  // [T, d_ff]
  const DropoutMask mask = pass.drop(relu_dropout, hidden);

  Tensor y = outer.forward(hidden, pass.as("output", "FFN"));
  if (pass.keeps()) cache = {std::move(hidden), mask};
  return y;
}

Tensor FeedForward::backward(const Tensor& dy, const Tensor& x, const Pass& pass,
                             const Cache& cache) {
  Tensor dhidden = outer.backward(dy, cache.hidden, pass.as("dhidden", "dmax(0, a)"));  // [T, d_ff]
  pass.drop(cache.hidden_mask, dhidden);

  // max(0, ·) passes the gradient where it passed the value.
  const Tensor before = pass.before(dhidden);
  parallel_ranges(dhidden.elements(), 1 << 14, [&](Index begin, Index end) {
    kernels().vector_relu_backward(end - begin, cache.hidden.data() + begin,
                                   dhidden.data() + begin);
  });
  pass.as("dinner", "da").made(dhidden, Operation::relu_backward, before, cache.hidden);
  return inner.backward(dhidden, x, pass.as("dx", "du"));
}

void FeedForward::visit(const std::string& name, const ParameterVisitor& visitor) {
  inner.visit(name + ".inner", visitor);
  outer.visit(name + ".outer", visitor);
}

}  // namespace attn
