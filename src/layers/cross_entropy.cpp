// L = −Σ_v q_v ln p_v and dL/dlogits = p − q, with the q of label smoothing.
#include "layers/cross_entropy.h"

#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

namespace {

// The loss of one row. Writes scale · (p − q) to drow, which may be the row itself, or nullptr.
LossSums row_loss(Index V, int target, Real epsilon, const Real* row, Real scale, Real* drow) {
  ATTN_CHECK(target >= 0 && target < V, "target id ", target, " is not in a vocabulary of ", V);
  const RowLoss loss = kernels().cross_entropy_row(V, target, epsilon, row, scale, drow);
  return {loss.smoothed, loss.log, loss.right ? 1 : 0, 1};
}

// The losses of all rows, added up in their order, so that the sum does not depend on the threads.
// With dlogits, each row's gradient is written there.
LossSums sum_rows(const ConstMatrixView& logits, const int* targets, Real epsilon, Real scale,
                  const MatrixView* dlogits, const Pass& pass) {
  ATTN_CHECK_EQ(logits.col_stride, 1, "distance of a row's logits");
  std::vector<LossSums> losses(logits.rows);
  parallel_ranges(logits.rows, 8, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      losses[t] = row_loss(logits.cols, targets[t], epsilon, logits.data + t * logits.row_stride,
                           scale, dlogits != nullptr ? dlogits->row(t) : nullptr);
    }
  });
  LossSums sums;
  std::vector<Real> values;
  for (const LossSums& loss : losses) {
    sums += loss;
    if (pass.is_watched()) values.push_back(static_cast<Real>(loss.loss));
  }
  pass.see("losses", ConstMatrixView(values.data(), 1, logits.rows, logits.rows));
  return sums;
}

}  // namespace

LossSums& LossSums::operator+=(const LossSums& other) {
  loss += other.loss;
  log_loss += other.log_loss;
  correct += other.correct;
  tokens += other.tokens;
  return *this;
}

double LossSums::perplexity() const {
  return std::exp(log_loss / to_double(tokens));
}

LossSums cross_entropy_forward(const ConstMatrixView& logits, const int* targets, Real epsilon,
                               const Pass& pass) {
  return sum_rows(logits, targets, epsilon, 0, nullptr, pass);
}

LossSums cross_entropy_backward(const MatrixView& logits, const int* targets, Real epsilon,
                                Real scale, const Pass& pass) {
  const LossSums sums = sum_rows(logits, targets, epsilon, scale, &logits, pass);
  pass.see("dlogits", logits);
  return sums;
}

// −Σ_v q_v ln q_v: q is 1 − ε + ε/V for the right token and ε/V for each of the others.
double least_loss(double epsilon, Index V) {
  const double other = epsilon / to_double(V), right = 1 - epsilon + other;
  const double others = other > 0 ? to_double(V - 1) * other * std::log(other) : 0;
  return -right * std::log(right) - others;
}

}  // namespace attn
