// z_t = Σ_j w_j ⊙ x_{t + offset(j)},  y = z W + b
#include "lab/predecessors/separable_convolution.h"

#include <cmath>
#include <utility>

#include "kernels/kernels.h"

namespace attn {

namespace {

constexpr Index kChannelsPerTask = 64;

}  // namespace

// An output of the depthwise step sums k terms, not k·in: w ~ N(0, 1/k) keeps the variance.
SeparableConvolution::SeparableConvolution(Index in, Index out, const Window& window_)
    : window(window_),
      depthwise({window_.width, in}, Parameter::Start::normal,
                1 / std::sqrt(static_cast<double>(window_.width))),
      pointwise(in, out, true) {
  check(window);
}

Tensor SeparableConvolution::forward(const Tensor& x, const Offsets& offsets, const Pass& pass,
                                     Cache& cache) const {
  check_offsets(offsets, x.rows());
  ATTN_CHECK_EQ(x.cols(), depthwise.value.cols(), "channels of a separable convolution");
  const Tensor& w = depthwise.value;
  Tensor z = Tensor::zeros(x.shape());
  for_each_sentence_in_parallel(offsets, [&](Index begin, Index end) {
    for_each_seen(window, begin, end, [&](Index t, Index j, Index s) {
      kernels().vector_multiply_add(x.cols(), w.row(j), x.row(s), z.row(t));
    });
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
  for_each_sentence_in_parallel(offsets, [&](Index begin, Index end) {
    for_each_seen(window, begin, end, [&](Index t, Index j, Index s) {
      kernels().vector_multiply_add(x.cols(), w.row(j), dz.row(t), dx.row(s));
    });
  });

  // It gives dw_j += x_s ⊙ dz_t too. Threads share the channels, so that each sum over tokens has
  // one fixed order.
  Tensor& dw = depthwise.gradient;
  parallel_ranges(x.cols(), kChannelsPerTask, [&](Index first, Index last) {
    for_each_sentence(offsets, [&](Index begin, Index end) {
      for_each_seen(window, begin, end, [&](Index t, Index j, Index s) {
        kernels().vector_multiply_add(last - first, x.row(s) + first, dz.row(t) + first,
                                      dw.row(j) + first);
      });
    });
  });
  return dx;
}

Tensor SeparableConvolution::step(const Tensor& x, Recent& past) const {
  past.push(x);
  Tensor z = Tensor::zeros(x.shape());  // [R, in]
  for (Index r = 0; r < x.rows(); ++r) {
    for (Index j = 0; j < window.width; ++j) {
      kernels().vector_multiply_add(x.cols(), depthwise.value.row(j),
                                    past.rows.row(r * past.length() + j * window.dilation),
                                    z.row(r));
    }
  }
  return pointwise.forward(z);
}

void SeparableConvolution::visit(const std::string& name, const ParameterVisitor& visitor) {
  visitor(name + ".depthwise", depthwise);
  pointwise.visit(name + ".pointwise", visitor);
}

}  // namespace attn
