// y_t = Σ_j x_{t + offset(j)} W_j + b. With the window of t side by side in one row,
// (x_{t + offset(0)}, …, x_{t + offset(k−1)}), this is one matrix product: "im2col".
//
// Separable: z_t = Σ_j w_j ⊙ x_{t + offset(j)},  y = z W + b
#include "lab/predecessors/convolution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.h"

namespace attn {

namespace {

// Row t: the window of t, side by side; zeros outside of the sentence.
Tensor im2col(const Tensor& x, const Window& window, const Offsets& offsets) {
  const Index in = x.cols();
  Tensor columns = Tensor::zeros({x.rows(), window.width * in});  // [T, k·in]
  for_each_seen(window, offsets, [&](Index t, Index j, Index s) {
    std::copy_n(x.row(s), in, columns.row(t) + j * in);
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
  return taps.forward(im2col(x, window, offsets));
}

Tensor Convolution::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets) {
  check_offsets(offsets, x.rows());
  const Tensor columns = im2col(x, window, offsets);
  const Tensor dcolumns = taps.backward(dy, columns);  // [T, k·in]

  // x_s was seen by several outputs, and collects the gradients of all.
  const Index in = x.cols();
  Tensor dx = Tensor::zeros(x.shape());
  for_each_seen(window, offsets, [&](Index t, Index j, Index s) {
    kernels().vector_add(in, dcolumns.row(t) + j * in, dx.row(s));
  });
  return dx;
}

Tensor Convolution::start(Index rows) const {
  const Index in = taps.weight.value.rows() / window.width;
  return Tensor::zeros({rows, (window.reach() + 1) * in});
}

Tensor Convolution::step(const Tensor& x, Tensor& past) const {
  const Index in = x.cols(), width = (window.reach() + 1) * in;
  ATTN_CHECK(past.rows() == x.rows() && past.cols() == width, "new positions ",
             to_string(x.shape()), " do not fit past ones ", to_string(past.shape()));
  Tensor columns = Tensor::uninitialised({x.rows(), window.width * in});  // [R, k·in]
  for (Index r = 0; r < x.rows(); ++r) {
    // The oldest position makes room for the newest.
    Real* const row = past.row(r);
    std::copy(row + in, row + width, row);
    std::copy_n(x.row(r), in, row + width - in);
    for (Index j = 0; j < window.width; ++j) {
      std::copy_n(row + j * window.dilation * in, in, columns.row(r) + j * in);
    }
  }
  return taps.forward(columns);
}

// An output of the depthwise step sums k terms, not k·in: w ~ N(0, 1/k) keeps the variance.
SeparableConvolution::SeparableConvolution(Index in, Index out, const Window& window_)
    : window(window_),
      depthwise({window_.width, in}, Parameter::Start::normal,
                1 / std::sqrt(to_double(window_.width))),
      pointwise(in, out, true) {
  check(window);
}

Tensor SeparableConvolution::forward(const Tensor& x, const Offsets& offsets, const Pass& pass,
                                     Cache& cache) const {
  check_offsets(offsets, x.rows());
  ATTN_CHECK_EQ(x.cols(), depthwise.value.cols(), "channels of a separable convolution");
  const Tensor& w = depthwise.value;
  Tensor z = Tensor::zeros(x.shape());
  for_each_seen(window, offsets, [&](Index t, Index j, Index s) {
    kernels().vector_multiply_add(x.cols(), w.row(j), x.row(s), z.row(t));
  });
  Tensor y = pointwise.forward(z);
  if (pass.keeps()) cache.z = std::move(z);
  return y;
}

Tensor SeparableConvolution::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                                      const Cache& cache) {
  check_offsets(offsets, x.rows());
  check_gradient(depthwise);
  const Tensor dz = pointwise.backward(dy, cache.z);  // [T, in]

  // z_t += w_j ⊙ x_s gives dx_s += w_j ⊙ dz_t.
  const Tensor& w = depthwise.value;
  Tensor dx = Tensor::zeros(x.shape());
  for_each_seen(window, offsets, [&](Index t, Index j, Index s) {
    kernels().vector_multiply_add(x.cols(), w.row(j), dz.row(t), dx.row(s));
  });

  // And dw_j += x_s ⊙ dz_t. Threads share the channels, so each sum over tokens has one order.
  Tensor& dw = depthwise.gradient;
  constexpr Index kChannelsPerTask = 64;
  parallel_ranges(x.cols(), kChannelsPerTask, [&](Index c, Index end) {
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
      for_each_seen(window, offsets[b], offsets[b + 1], [&](Index t, Index j, Index s) {
        kernels().vector_multiply_add(end - c, x.row(s) + c, dz.row(t) + c, dw.row(j) + c);
      });
    }
  });
  return dx;
}

}  // namespace attn
