// Softmax, layer normalisation and cross-entropy, kLanes numbers at a time.
#include "kernels/kernels.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/lanes.h"

namespace attn::ATTENTION_ISA_NAME {
namespace {

constexpr Real kInfinity = static_cast<Real>(__builtin_inf());

// The largest of scale · x in every lane; −∞ if there is none. NaNs are skipped: what is
// computed from the element itself shows them.
Lanes largest_in_row(Index n, Real scale, const Real* x) {
  Lanes most = lanes(-kInfinity);
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes scaled = load_lanes(x + j, n - j) * lanes(scale);
    most = max(keep(scaled, n - j, -kInfinity), most);
  }
  return largest(most);
}

double to_double(Real x) {
  return static_cast<double>(x);
}

}  // namespace

void softmax_row(Index n, Real scale, Real* x) {
  // If all are −∞, 0 is subtracted instead: −∞ − (−∞) is NaN.
  Lanes most = largest_in_row(n, scale, x);
  if (first(most) == -kInfinity) most = lanes(0);

  Lanes total = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes e = exp(load_lanes(x + j, n - j) * lanes(scale) - most);
    store_lanes(x + j, e, n - j);
    total = total + keep(e, n - j, 0);
  }
  total = sum(total);
  if (first(total) == 0) return;  // all are e^−∞ = 0, and stay 0
  const Lanes factor = lanes(1) / total;
  for (Index j = 0; j < n; j += kLanes) {
    store_lanes(x + j, load_lanes(x + j, n - j) * factor, n - j);
  }
}

void softmax_row_backward(Index n, Real scale, const Real* p, Real* dp) {
  Lanes dot = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    dot = fma(load_lanes(p + j, n - j), load_lanes(dp + j, n - j), dot);
  }
  dot = sum(dot);
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes ds = load_lanes(p + j, n - j) * (load_lanes(dp + j, n - j) - dot) * lanes(scale);
    store_lanes(dp + j, ds, n - j);
  }
}

void layer_norm_rows(Index rows, Index n, Real epsilon, const Real* x, const Real* gamma,
                     const Real* beta, Real* x_hat, Real* means, Real* inv_std, Real* y) {
  const Lanes size = lanes(static_cast<Real>(n));
  for (Index i = 0; i < rows; ++i, x += n, x_hat += n, y += n) {
    Lanes mean = lanes(0);
    for (Index j = 0; j < n; j += kLanes) mean = mean + load_lanes(x + j, n - j);
    mean = sum(mean) / size;
    means[i] = first(mean);

    Lanes variance = lanes(0);
    for (Index j = 0; j < n; j += kLanes) {
      const Lanes centred = keep(load_lanes(x + j, n - j) - mean, n - j, 0);
      variance = fma(centred, centred, variance);
    }
    variance = sum(variance) / size;
    const Lanes inverse = lanes(1) / square_root(variance + lanes(epsilon));
    inv_std[i] = first(inverse);

    for (Index j = 0; j < n; j += kLanes) {
      const Lanes normal = (load_lanes(x + j, n - j) - mean) * inverse;
      store_lanes(x_hat + j, normal, n - j);
      store_lanes(y + j, fma(load_lanes(gamma + j, n - j), normal, load_lanes(beta + j, n - j)),
                  n - j);
    }
  }
}

void layer_norm_rows_backward(Index rows, Index n, const Real* dy, const Real* gamma,
                              const Real* x_hat, const Real* inv_std, Real* dx) {
  const Lanes size = lanes(static_cast<Real>(n));
  for (Index i = 0; i < rows; ++i, dy += n, x_hat += n, dx += n) {
    Lanes mean_g = lanes(0), mean_g_x = lanes(0);
    for (Index j = 0; j < n; j += kLanes) {
      const Lanes g = load_lanes(gamma + j, n - j) * load_lanes(dy + j, n - j);
      mean_g = mean_g + g;
      mean_g_x = fma(g, load_lanes(x_hat + j, n - j), mean_g_x);
    }
    mean_g = sum(mean_g) / size;
    mean_g_x = sum(mean_g_x) / size;

    // dx = (g − mean(g) − x̂ mean(g ⊙ x̂))/σ
    for (Index j = 0; j < n; j += kLanes) {
      const Lanes g = load_lanes(gamma + j, n - j) * load_lanes(dy + j, n - j);
      const Lanes rest = g - mean_g - load_lanes(x_hat + j, n - j) * mean_g_x;
      store_lanes(dx + j, lanes(inv_std[i]) * rest, n - j);
    }
  }
}

void log_softmax_row(Index n, Real* x) {
  const Lanes most = largest_in_row(n, 1, x);
  Lanes total = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    total = total + keep(exp(load_lanes(x + j, n - j) - most), n - j, 0);
  }
  const Lanes log_total = lanes(static_cast<Real>(__builtin_log(to_double(first(sum(total))))));
  for (Index j = 0; j < n; j += kLanes) {
    store_lanes(x + j, load_lanes(x + j, n - j) - most - log_total, n - j);
  }
}

RowLoss cross_entropy_row(Index n, Index target, Real epsilon, const Real* logits, Real scale,
                          Real* dlogits) {
  const Lanes most = largest_in_row(n, 1, logits);
  const double target_logit = to_double(logits[target]) - to_double(first(most));
  bool right = logits[target] == first(most);
  for (Index j = 0; right && j < target; ++j) right = logits[j] != first(most);

  // From here on, x is x − max x. If a gradient is wanted, eˣ is stored in its place.
  Lanes total = lanes(0), logit_sum = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes x = keep(load_lanes(logits + j, n - j) - most, n - j, 0);
    const Lanes e = exp(x);
    logit_sum = logit_sum + x;
    total = total + keep(e, n - j, 0);
    if (dlogits != nullptr) store_lanes(dlogits + j, e, n - j);
  }
  total = sum(total);

  // −ln p = ln Σ eˣ − x, and −Σ q ln p = (1 − ε) (−ln p_target) + ε · mean(−ln p).
  const double log_total = __builtin_log(to_double(first(total)));
  const double smoothing = to_double(epsilon);
  RowLoss loss;
  loss.log = loss.smoothed = log_total - target_logit;
  loss.right = right;
  if (smoothing != 0) {
    const double mean = to_double(first(sum(logit_sum))) / static_cast<double>(n);
    loss.smoothed = (1 - smoothing) * loss.log + smoothing * (log_total - mean);
  }
  if (dlogits == nullptr) return loss;

  // scale · (p − q)
  const Lanes factor = lanes(1) / total, even = lanes(epsilon / static_cast<Real>(n));
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes p = load_lanes(dlogits + j, n - j) * factor;
    store_lanes(dlogits + j, (p - even) * lanes(scale), n - j);
  }
  dlogits[target] -= scale * (1 - epsilon);
  return loss;
}

Real largest_row(Index n, const Real* x) {
  // 0 · max(0, x) is 0, unless x is ∞ or NaN, which max lets pass in this order.
  Lanes most = lanes(-kInfinity), wrong = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes number = load_lanes(x + j, n - j);
    most = max(keep(number, n - j, -kInfinity), most);
    wrong = fma(max(lanes(0), number), lanes(0), wrong);
  }
  return first(largest(most)) + first(sum(wrong));
}

}  // namespace attn::ATTENTION_ISA_NAME
