// y = a ⊙ σ(b)
#include "lab/predecessors/gated_linear_unit.h"

#include <algorithm>

#include "base/parallel.h"
#include "lab/predecessors/cells.h"

namespace attn {

namespace {

constexpr Index kGatedRowsPerTask = 16;

// y = σ(b), n numbers.
void gates(Index n, const Real* b, Real* y) {
  std::copy_n(b, n, y);
  sigmoid(n, y);
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
      gates(d, b, gate);
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
      gates(d, b, db);
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
