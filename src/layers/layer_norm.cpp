// y = γ ⊙ (x − μ)/σ + β, token by token.
#include "layers/layer_norm.h"

#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

constexpr Index kRowsPerTask = 16;

LayerNorm::LayerNorm(Index d_model)
    : gamma({d_model}, Parameter::Start::ones), beta({d_model}, Parameter::Start::zeros) {
  gamma.value.fill(1);
}

Tensor LayerNorm::forward(Tensor x, const Pass& pass, Cache& cache) const {
  ATTN_CHECK_EQ(x.cols(), gamma.value.cols(), "layer norm");
  Tensor x_hat = std::move(x);                             // written over x
  Tensor mean = Tensor::uninitialised({x_hat.rows()});     // [T]
  Tensor inv_std = Tensor::uninitialised({x_hat.rows()});  // [T]
  Tensor y = Tensor::uninitialised(x_hat.shape());         // [T, d_model]
  parallel_ranges(y.rows(), kRowsPerTask, [&](Index begin, Index end) {
    kernels().layer_norm_rows(end - begin, y.cols(), kEpsilon, x_hat.row(begin), gamma.value.data(),
                              beta.value.data(), x_hat.row(begin), mean.data() + begin,
                              inv_std.data() + begin, y.row(begin));
  });
  pass.see("mean", mean);
  pass.see("inv_std", inv_std);
  pass.see("x_hat", x_hat);
  if (pass.keeps()) cache = {std::move(x_hat), std::move(inv_std)};
  return y;
}

Tensor LayerNorm::backward(const Tensor& dy, const Cache& cache) {
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
