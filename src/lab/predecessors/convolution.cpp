// y_t = Σ_j x_{t + offset(j)} W_j + b. With what the window of t sees side by side in one row,
// (x_{t + offset(0)}, …, x_{t + offset(k−1)}), this is one matrix product: "im2col".
#include "lab/predecessors/convolution.h"

#include <algorithm>

#include "kernels/kernels.h"
#include "tensor/matrix_view.h"

namespace attn {

namespace {

// Row t: what the window of t sees, side by side.
Tensor seen(const Tensor& x, const Window& window, const Offsets& offsets) {
  const Index in = x.cols();
  Tensor columns = Tensor::zeros({x.rows(), window.width * in});  // [T, k·in]
  for_each_sentence_in_parallel(offsets, [&](Index begin, Index end) {
    for_each_seen(window, begin, end, [&](Index t, Index j, Index s) {
      std::copy_n(x.row(s), in, columns.row(t) + j * in);
    });
  });
  return columns;
}

}  // namespace

Convolution::Convolution(Index in, Index out, const Window& window_)
    : window(window_), taps(window_.width * in, out, true) {
  check(window);
}

Tensor Convolution::forward(const Tensor& x, const Offsets& offsets) const {
  check_offsets(offsets, x.rows());
  return taps.forward(seen(x, window, offsets));
}

Tensor Convolution::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets) {
  check_offsets(offsets, x.rows());
  const Tensor dcolumns = taps.backward(dy, seen(x, window, offsets));  // [T, k·in]

  // x_s was seen by several outputs, and collects the gradients of all.
  const Index in = x.cols();
  Tensor dx = Tensor::zeros(x.shape());
  for_each_sentence_in_parallel(offsets, [&](Index begin, Index end) {
    for_each_seen(window, begin, end, [&](Index t, Index j, Index s) {
      kernels().vector_add(in, dcolumns.row(t) + j * in, dx.row(s));
    });
  });
  return dx;
}

Tensor Convolution::step(const Tensor& x, Recent& past) const {
  past.push(x);
  const Index in = x.cols();
  Tensor columns = Tensor::uninitialised({x.rows(), window.width * in});  // [R, k·in]
  for (Index r = 0; r < x.rows(); ++r) {
    for (Index j = 0; j < window.width; ++j) {
      std::copy_n(past.rows.row(r * past.length() + j * window.dilation), in,
                  columns.row(r) + j * in);
    }
  }
  return taps.forward(columns);
}

}  // namespace attn
