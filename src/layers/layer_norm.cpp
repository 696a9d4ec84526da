// y = γ ⊙ (x − μ)/σ + β, token by token.
#include "layers/layer_norm.h"

#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

namespace {
constexpr Index kRowsPerTask = 16;

// For watchers, intermediate values of the kernels: the mean of each row; x ⊙ γ in every row.
Tensor means(const Tensor& x) {
  Tensor mean = Tensor::zeros({x.rows()});
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index j = 0; j < x.cols(); ++j) mean[t] += x(t, j) / static_cast<Real>(x.cols());
  }
  return mean;
}
Tensor times_columns(Tensor x, const Tensor& gamma) {
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index j = 0; j < x.cols(); ++j) x(t, j) *= gamma[j];
  }
  return x;
}
}  // namespace

LayerNorm::LayerNorm(Index d_model)
    : gamma({d_model}, Parameter::Start::ones), beta({d_model}, Parameter::Start::zeros) {
  gamma.value.fill(1);
}

Tensor LayerNorm::forward(Tensor x, const Pass& pass, Cache& cache) const {
  ATTN_CHECK_EQ(x.cols(), gamma.value.cols(), "layer norm");
  pass.see("mean", "μ = mean of x", [&] { return means(x); });
  Tensor x_hat = std::move(x);                             // written over x
  Tensor inv_std = Tensor::uninitialised({x_hat.rows()});  // [T]
  Tensor y = Tensor::uninitialised(x_hat.shape());         // [T, d_model]
  parallel_ranges(y.rows(), kRowsPerTask, [&](Index begin, Index end) {
    kernels().layer_norm_rows(end - begin, y.cols(), kEpsilon, x_hat.row(begin), gamma.value.data(),
                              beta.value.data(), x_hat.row(begin), inv_std.data() + begin,
                              y.row(begin));
  });
  pass.see("inv_std", "1/σ = 1/√(variance + 1e-5)", inv_std);
  pass.see("x_hat", "x̂ = (x − μ)/σ", x_hat);
  if (pass.keeps()) cache = {std::move(x_hat), std::move(inv_std)};
  return y;
}

Tensor LayerNorm::backward(const Tensor& dy, const Pass& pass, const Cache& cache) {
  pass.see("dx_hat", "dx̂ = γ ⊙ dy", [&] { return times_columns(dy, gamma.value); });
  check_gradient(gamma);
  add_column_dots(dy, cache.x_hat, gamma.gradient);
  add_column_sums(dy, beta.gradient);
  Tensor dx = Tensor::uninitialised(dy.shape());  // [T, d_model]
  parallel_ranges(dy.rows(), kRowsPerTask, [&](Index begin, Index end) {
    kernels().layer_norm_rows_backward(end - begin, dy.cols(), dy.row(begin), gamma.value.data(),
                                       cache.x_hat.row(begin), cache.inv_std.data() + begin,
                                       dx.row(begin));
  });
  return dx;
}

void LayerNorm::visit(const std::string& name, const ParameterVisitor& visitor) {
  visitor(name + ".gamma", gamma);
  visitor(name + ".beta", beta);
}

}  // namespace attn
