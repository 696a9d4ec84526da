// h = GLU(Convolution(Dropout(x))),  GLU([a, b]) = a ⊙ σ(b)
#include "lab/predecessors/gated_convolution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/predecessors/cells.h"

namespace attn {

constexpr Index kGatedRowsPerTask = 16;

// gate = σ(b), n numbers.
static void open_gates(Index n, const Real* b, Real* gate) {
  std::copy_n(b, n, gate);
  sigmoid(n, gate);
}

Tensor gated_linear_unit(const Tensor& x) {
  ATTN_CHECK(x.cols() % 2 == 0, "a gated linear unit halves the channels, but ", x.cols(),
             " is odd");
  const Index d = x.cols() / 2;
  Tensor y = Tensor::uninitialised({x.rows(), d});
  parallel_ranges(x.rows(), kGatedRowsPerTask, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Real *a = x.row(t), *b = a + d;
      open_gates(d, b, y.row(t));
      for (Index c = 0; c < d; ++c) y(t, c) *= a[c];
    }
  });
  return y;
}

Tensor gated_linear_unit_backward(const Tensor& dy, const Tensor& x) {
  const Index d = dy.cols();
  Tensor dx = Tensor::uninitialised(x.shape());
  parallel_ranges(x.rows(), kGatedRowsPerTask, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Real *a = x.row(t), *b = a + d;
      Real *da = dx.row(t), *db = da + d;
      open_gates(d, b, db);
      for (Index c = 0; c < d; ++c) {
        const Real gate = db[c];
        da[c] = dy(t, c) * gate;
        db[c] = dy(t, c) * a[c] * gate * (1 - gate);
      }
    }
  });
  return dx;
}

// N(0, 4 (1 − p)/n) for sums of n terms, §3.5: gates that are half open quarter the variance.
GatedConvolution::GatedConvolution(Index d_model, const Window& window, double p_drop_)
    : convolution(d_model, 2 * d_model, window), p_drop(p_drop_) {
  convolution.taps.weight.start = Parameter::Start::normal;
  convolution.taps.weight.scale = std::sqrt(4 * (1 - p_drop) / to_double(window.width * d_model));
}

Tensor GatedConvolution::forward(const Tensor& x, const Offsets& offsets, const Pass& pass,
                                 Cache& cache) const {
  Tensor u = x;
  const DropoutMask mask = pass.drop(p_drop, u);
  Tensor a = convolution.forward(u, offsets);
  Tensor h = gated_linear_unit(a);
  pass.see("a", a);
  pass.see("h", h);
  if (pass.keeps()) cache = {mask, std::move(a)};
  return h;
}

Tensor GatedConvolution::backward(const Tensor& dh, const Tensor& x, const Offsets& offsets,
                                  const Pass& pass, const Cache& cache) {
  const Tensor da = gated_linear_unit_backward(dh, cache.a);  // [T, 2 d_model]
  pass.see("da", da);
  Tensor u = x;
  dropout(cache.mask, u);
  Tensor dx = convolution.backward(da, u, offsets);
  dropout(cache.mask, dx);
  return dx;
}

Tensor GatedConvolution::step(const Tensor& x, Tensor& past) const {
  return gated_linear_unit(convolution.step(x, past));
}

}  // namespace attn
