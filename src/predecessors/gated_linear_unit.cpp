// y = a ⊙ σ(b)
#include "predecessors/gated_linear_unit.h"

#include <cmath>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

namespace {

constexpr Index kGatedRowsPerTask = 16;

// y = σ(b), n numbers, without overflow: e^−|b| is at most 1.
void sigmoid(Index n, const Real* b, Real* y) {
  for (Index c = 0; c < n; ++c) y[c] = -std::abs(b[c]);
  kernels().vector_exp(n, y, y);
  for (Index c = 0; c < n; ++c) y[c] = (b[c] >= 0 ? 1 : y[c]) / (1 + y[c]);
}

}  // namespace

Tensor gated_linear_unit(const Tensor& x) {
  ATTN_CHECK(x.cols() % 2 == 0, "a gated linear unit halves the channels, but ", x.cols(),
             " is odd");
  const Index d = x.cols() / 2;
  Tensor y = Tensor::uninitialised({x.rows(), d});
  parallel_ranges(x.rows(), kGatedRowsPerTask, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Real *a = x.row(t), *b = a + d;
      Real* const gate = y.row(t);
      sigmoid(d, b, gate);
      for (Index c = 0; c < d; ++c) y(t, c) = a[c] * gate[c];
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
      sigmoid(d, b, db);
      for (Index c = 0; c < d; ++c) {
        const Real gate = db[c];
        da[c] = dy(t, c) * gate;
        db[c] = dy(t, c) * a[c] * gate * (1 - gate);
      }
    }
  });
  return dx;
}

}  // namespace attn
