// Batch normalisation (Ioffe & Szegedy 2015), to compare with layer normalisation: the mean and the
// variance of each feature over all tokens of the batch, not of each token over its features.
//
// So a token's result depends on what else is in the batch. When there is no batch, in decoding,
// running means of both take their place.
#pragma once

#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "layers/parameter.h"
#include "layers/pass.h"

namespace attn::test {

struct BatchNorm {
  static constexpr Real kEpsilon = Real(1e-5);
  // How much of the running statistics a batch replaces.
  static constexpr Real kMomentum = Real(0.1);

  Parameter gamma;          // γ [d_model], ones at first
  Parameter beta;           // β [d_model], zeros at first
  Tensor running_mean;      // [d_model]; not parameters: no gradient leads to them
  Tensor running_variance;  // [d_model]

  struct Cache {
    Tensor x_hat;           // x̂ [T, d_model], the normalised input
    Tensor mean, variance;  // μ, σ² [d_model], of this batch
  };

  BatchNorm() = default;
  explicit BatchNorm(Index d_model);

  // y = γ ⊙ x̂ + β,  x̂ = (x − μ)/√(σ² + ε)       x, y [T, d_model]
  // If a backward pass follows, μ and σ² (biased) are those of the T > 1 tokens; if not, the
  // running ones.
  Tensor forward(Tensor x, const Pass& pass, Cache& cache) const;
  // dx = γ/σ ⊙ (dy − mean(dy) − x̂ ⊙ mean(dy ⊙ x̂))       dγ += Σ_t dy ⊙ x̂      dβ += Σ_t dy
  // with means over the tokens.
  Tensor backward(const Tensor& dy, const Cache& cache);
  // Once per training step: moves the running statistics towards those of the batch. The running
  // variance estimates that of all tokens ever, so it is the unbiased one.
  void update_running(const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    visitor(name + ".gamma", gamma);
    visitor(name + ".beta", beta);
  }
};

constexpr Index kBatchRowsPerTask = 64;

// Runs body(t) for every row.
template <class Body>
void for_each_token(const Tensor& x, const Body& body) {
  parallel_ranges(x.rows(), kBatchRowsPerTask, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) body(t);
  });
}

inline void divide(Tensor& sums, Index n) {
  for (Index j = 0; j < sums.elements(); ++j) sums[j] /= static_cast<Real>(n);
}

// x ← x − μ
inline void centre(const Tensor& mean, Tensor& x) {
  for_each_token(x, [&](Index t) {
    for (Index j = 0; j < x.cols(); ++j) x(t, j) -= mean[j];
  });
}

// 1/σ = 1/√(σ² + ε)
inline Tensor inverse_deviation(Tensor variance) {
  for (Index j = 0; j < variance.elements(); ++j) {
    variance[j] = 1 / std::sqrt(variance[j] + BatchNorm::kEpsilon);
  }
  return variance;
}

inline BatchNorm::BatchNorm(Index d_model)
    : gamma({d_model}, Parameter::Start::ones),
      beta({d_model}, Parameter::Start::zeros),
      running_mean(Tensor::zeros({d_model})),
      running_variance(Tensor::zeros({d_model})) {
  gamma.value.fill(1);
  running_variance.fill(1);
}

inline Tensor BatchNorm::forward(Tensor x, const Pass& pass, Cache& cache) const {
  ATTN_CHECK_EQ(x.cols(), gamma.value.cols(), "batch norm");
  Tensor mean = running_mean, variance = running_variance;
  Tensor x_hat = std::move(x);  // written over x
  if (pass.keeps()) {
    ATTN_CHECK(x_hat.rows() > 1, "one token alone has no variance to normalise it by");
    mean.fill(0);
    add_column_sums(x_hat, mean);
    divide(mean, x_hat.rows());
  }
  centre(mean, x_hat);
  if (pass.keeps()) {
    // From the centred numbers: a large mean does not drown the variance.
    variance.fill(0);
    add_column_dots(x_hat, x_hat, variance);
    divide(variance, x_hat.rows());
  }

  const Tensor inv_std = inverse_deviation(variance);
  Tensor y = Tensor::uninitialised(x_hat.shape());  // [T, d_model]
  for_each_token(y, [&](Index t) {
    for (Index j = 0; j < y.cols(); ++j) {
      x_hat(t, j) *= inv_std[j];
      y(t, j) = gamma.value[j] * x_hat(t, j) + beta.value[j];
    }
  });
  if (pass.keeps()) cache = {std::move(x_hat), std::move(mean), std::move(variance)};
  return y;
}

inline Tensor BatchNorm::backward(const Tensor& dy, const Cache& cache) {
  check_gradient(gamma);
  Tensor sum_dy = Tensor::zeros(beta.value.shape()), sum_dy_x = sum_dy;  // Σ dy, Σ dy ⊙ x̂
  add_column_sums(dy, sum_dy);
  add_column_dots(dy, cache.x_hat, sum_dy_x);
  add(sum_dy, beta.gradient);
  add(sum_dy_x, gamma.gradient);

  divide(sum_dy, dy.rows());
  divide(sum_dy_x, dy.rows());
  const Tensor inv_std = inverse_deviation(cache.variance);
  Tensor dx = Tensor::uninitialised(dy.shape());  // [T, d_model]
  for_each_token(dx, [&](Index t) {
    for (Index j = 0; j < dx.cols(); ++j) {
      const Real rest = dy(t, j) - sum_dy[j] - cache.x_hat(t, j) * sum_dy_x[j];
      dx(t, j) = gamma.value[j] * inv_std[j] * rest;
    }
  });
  return dx;
}

inline void BatchNorm::update_running(const Cache& cache) {
  const Index T = cache.x_hat.rows();
  const Real unbiased = static_cast<Real>(T) / static_cast<Real>(T - 1);
  for (Index j = 0; j < running_mean.elements(); ++j) {
    running_mean[j] += kMomentum * (cache.mean[j] - running_mean[j]);
    running_variance[j] += kMomentum * (unbiased * cache.variance[j] - running_variance[j]);
  }
}

}  // namespace attn::test
