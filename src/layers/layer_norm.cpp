// y = γ ⊙ (x − μ)/σ + β, token by token.
#include "layers/layer_norm.h"

#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

constexpr Index kRowsPerTask = 16;

// For watchers, an intermediate value of a kernel: x ⊙ γ in every row.
static Tensor times_columns(Tensor x, const Tensor& gamma) {
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index j = 0; j < x.cols(); ++j) x(t, j) *= gamma[j];
  }
  return x;
}

LayerNorm::LayerNorm(Index d_model)
    : gamma({d_model}, Parameter::Start::ones, 1, "γ"),
      beta({d_model}, Parameter::Start::zeros, 1, "β") {
  gamma.value.fill(1);
}

Tensor LayerNorm::forward(Tensor x, const Pass& pass, Cache& cache) const {
  ATTN_CHECK_EQ(x.cols(), gamma.value.cols(), "layer norm");
  const Tensor before = pass.before(x);
  Tensor x_hat = std::move(x);                             // written over x
  Tensor mean = Tensor::uninitialised({x_hat.rows()});     // [T]
  Tensor inv_std = Tensor::uninitialised({x_hat.rows()});  // [T]
  Tensor y = Tensor::uninitialised(x_hat.shape());         // [T, d_model]
  parallel_ranges(y.rows(), kRowsPerTask, [&](Index begin, Index end) {
    kernels().layer_norm_rows(end - begin, y.cols(), kEpsilon, x_hat.row(begin), gamma.value.data(),
                              beta.value.data(), x_hat.row(begin), mean.data() + begin,
                              inv_std.data() + begin, y.row(begin));
  });
  pass.as("mean", "μ").made(mean, Operation::mean, before);
  pass.as("inv_std", "1/σ").made(inv_std, Operation::inverse_deviation, before, mean);
  pass.as("x_hat", "x̂").made(x_hat, Operation::normalise, before, mean, inv_std);
  Name(pass).made(y, Operation::sum, elements(gamma.value, x_hat), beta.value);
  if (pass.keeps()) cache = {std::move(x_hat), std::move(inv_std)};
  return y;
}

Tensor LayerNorm::backward(const Tensor& dy, const Pass& pass, const Cache& cache) {
  const Tensor dx_hat = pass.is_watched() ? times_columns(dy, gamma.value) : Tensor();
  pass.as("dx_hat", "dx̂").made(dx_hat, Operation::sum, elements(gamma.value, dy));
  check_gradient(gamma);
  add_column_dots(dy, cache.x_hat, gamma.gradient, pass);
  add_column_sums(dy, beta.gradient, pass);
  Tensor dx = Tensor::uninitialised(dy.shape());  // [T, d_model]
  parallel_ranges(dy.rows(), kRowsPerTask, [&](Index begin, Index end) {
    kernels().layer_norm_rows_backward(end - begin, dy.cols(), dy.row(begin), gamma.value.data(),
                                       cache.x_hat.row(begin), cache.inv_std.data() + begin,
                                       dx.row(begin));
  });
  Name(pass).made(dx, Operation::normalise_backward, dx_hat, cache.x_hat, cache.inv_std);
  return dx;
}

void LayerNorm::visit(const std::string& name, const ParameterVisitor& visitor) {
  visitor(name + ".gamma", gamma);
  visitor(name + ".beta", beta);
}

}  // namespace attn
