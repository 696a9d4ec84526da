// Softmax, layer normalisation, cross-entropy and sums of columns, kLanes numbers at a time.
#include "kernels/rows.h"

#include "kernels/simd/exp.h"
#include "kernels/simd/functions.h"
#include "kernels/simd/lanes.h"

namespace attn::ATTENTION_ISA_NAME {
namespace {

constexpr Real kInfinity = static_cast<Real>(__builtin_inf());

// max(scale · x), −∞ with no elements. A NaN is passed over: whatever is computed with the element
// itself will show it.
Real largest_in_row(Index n, Real scale, const Real* x) {
  Lanes most = lanes(-kInfinity);
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes scaled = load_lanes(x + j, n - j) * lanes(scale);
    most = max(keep(scaled, n - j, -kInfinity), most);
  }
  return largest(most);
}

// Σ exp(scale · x − shift); with y, the terms are left there.
Real sum_of_exp(Index n, Real scale, Real shift, const Real* x, Real* y) {
  Lanes total = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes e = exp(load_lanes(x + j, n - j) * lanes(scale) - lanes(shift));
    if (y != nullptr) store_lanes(y + j, e, n - j);
    total = total + keep(e, n - j, 0);
  }
  return sum(total);
}

double log_of(Real x) {
  return __builtin_log(static_cast<double>(x));
}

}  // namespace

void softmax_row(Index n, Real scale, Real* x) {
  // Where nothing is above −∞, nothing is subtracted, and every term is 0 or NaN.
  const Real most = largest_in_row(n, scale, x);
  const Real total = sum_of_exp(n, scale, most == -kInfinity ? 0 : most, x, x);
  if (total == 0) return;
  const Lanes factor = lanes(1 / total);
  for (Index j = 0; j < n; j += kLanes) {
    store_lanes(x + j, load_lanes(x + j, n - j) * factor, n - j);
  }
}

void softmax_row_backward(Index n, Real scale, const Real* p, Real* dp) {
  Lanes dots = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    dots = fma(load_lanes(p + j, n - j), load_lanes(dp + j, n - j), dots);
  }
  const Lanes dot = lanes(sum(dots));
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes ds = load_lanes(p + j, n - j) * (load_lanes(dp + j, n - j) - dot) * lanes(scale);
    store_lanes(dp + j, ds, n - j);
  }
}

void layer_norm_rows(Index rows, Index n, Real epsilon, const Real* x, const Real* gamma,
                     const Real* beta, Real* x_hat, Real* inv_std, Real* y) {
  const Real size = static_cast<Real>(n);
  for (Index i = 0; i < rows; ++i, x += n, x_hat += n, y += n) {
    Lanes total = lanes(0);
    for (Index j = 0; j < n; j += kLanes) total = total + load_lanes(x + j, n - j);
    const Lanes mean = lanes(sum(total) / size);

    Lanes squares = lanes(0);
    for (Index j = 0; j < n; j += kLanes) {
      const Lanes centred = keep(load_lanes(x + j, n - j) - mean, n - j, 0);
      squares = fma(centred, centred, squares);
    }
    inv_std[i] = 1 / square_root(sum(squares) / size + epsilon);

    for (Index j = 0; j < n; j += kLanes) {
      const Lanes normal = (load_lanes(x + j, n - j) - mean) * lanes(inv_std[i]);
      store_lanes(x_hat + j, normal, n - j);
      store_lanes(y + j, fma(load_lanes(gamma + j, n - j), normal, load_lanes(beta + j, n - j)),
                  n - j);
    }
  }
}

void layer_norm_rows_backward(Index rows, Index n, const Real* dy, const Real* gamma,
                              const Real* x_hat, const Real* inv_std, Real* dx) {
  const Real size = static_cast<Real>(n);
  for (Index i = 0; i < rows; ++i, dy += n, x_hat += n, dx += n) {
    Lanes sum_g = lanes(0), sum_g_x = lanes(0);
    for (Index j = 0; j < n; j += kLanes) {
      const Lanes g = load_lanes(gamma + j, n - j) * load_lanes(dy + j, n - j);
      sum_g = sum_g + g;
      sum_g_x = fma(g, load_lanes(x_hat + j, n - j), sum_g_x);
    }
    const Lanes mean_g = lanes(sum(sum_g) / size), mean_g_x = lanes(sum(sum_g_x) / size);

    for (Index j = 0; j < n; j += kLanes) {
      const Lanes g = load_lanes(gamma + j, n - j) * load_lanes(dy + j, n - j);
      const Lanes rest = g - mean_g - load_lanes(x_hat + j, n - j) * mean_g_x;
      store_lanes(dx + j, lanes(inv_std[i]) * rest, n - j);
    }
  }
}

void column_sums(Index rows, Index n, const Real* x, Real* sums) {
  for (Index i = 0; i < rows; ++i, x += n) {
    for (Index j = 0; j < n; j += kLanes) {
      store_lanes(sums + j, load_lanes(sums + j, n - j) + load_lanes(x + j, n - j), n - j);
    }
  }
}

void column_dots(Index rows, Index n, const Real* x, const Real* y, Real* sums) {
  for (Index i = 0; i < rows; ++i, x += n, y += n) {
    for (Index j = 0; j < n; j += kLanes) {
      const Lanes s = load_lanes(sums + j, n - j);
      store_lanes(sums + j, fma(load_lanes(x + j, n - j), load_lanes(y + j, n - j), s), n - j);
    }
  }
}

void log_softmax_row(Index n, Real* x) {
  const Real most = largest_in_row(n, 1, x);
  const double log_total = log_of(sum_of_exp(n, 1, most, x, nullptr));
  const Lanes log_sum = lanes(static_cast<Real>(log_total));
  for (Index j = 0; j < n; j += kLanes) {
    store_lanes(x + j, load_lanes(x + j, n - j) - lanes(most) - log_sum, n - j);
  }
}

RowLoss cross_entropy_row(Index n, Index target, Real epsilon, Real scale, Real* logits) {
  const Real most = largest_in_row(n, 1, logits);
  const Real total = sum_of_exp(n, 1, most, logits, nullptr);
  const double log_sum = static_cast<double>(most) + log_of(total);

  // −Σ q log p = (1 − ε) (log Σ − x[target]) + ε (log Σ − mean x)
  Lanes sums = lanes(0);
  for (Index j = 0; j < n; j += kLanes) {
    sums = sums + keep(load_lanes(logits + j, n - j) - lanes(most), n - j, 0);
  }
  const double smoothing = static_cast<double>(epsilon);
  const double mean =
      static_cast<double>(most) + static_cast<double>(sum(sums)) / static_cast<double>(n);
  const double log_loss = log_sum - static_cast<double>(logits[target]);
  RowLoss loss{log_loss, log_loss};
  if (epsilon != 0) loss.smoothed = (1 - smoothing) * log_loss + smoothing * (log_sum - mean);
  if (scale == 0) return loss;

  // dlogits = scale (p − q)
  const Lanes factor = lanes(1 / total), even = lanes(epsilon / static_cast<Real>(n));
  for (Index j = 0; j < n; j += kLanes) {
    const Lanes p = exp(load_lanes(logits + j, n - j) - lanes(most)) * factor;
    store_lanes(logits + j, (p - even) * lanes(scale), n - j);
  }
  logits[target] -= scale * (1 - epsilon);
  return loss;
}

Index argmax_row(Index n, const Real* x) {
  Index best = 0;
  for (Index j = 1; j < n; ++j) {
    if (x[j] > x[best]) best = j;
  }
  return best;
}

}  // namespace attn::ATTENTION_ISA_NAME
