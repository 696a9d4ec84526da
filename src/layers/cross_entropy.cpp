// L = −Σ_v q_v log p_v and dL/dlogits = p − q.
#include "layers/cross_entropy.h"

#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/kernels.h"
#include "layers/softmax.h"

namespace attn {

namespace {

struct RowResult {
  RowLoss loss;
  bool correct;
};

// Adds up one result a row, in order, so that the sum does not depend on the threads.
template <class RowFunction>
LossSums sum_rows(Index rows, RowFunction row_function) {
  std::vector<RowResult> results(static_cast<std::size_t>(rows));
  parallel_ranges(rows, 8, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) results[static_cast<std::size_t>(t)] = row_function(t);
  });
  LossSums sums;
  for (const RowResult& result : results) {
    sums += {result.loss.smoothed, result.loss.log, result.correct ? 1 : 0, 1};
  }
  return sums;
}

Index checked_target(int target, Index vocabulary) {
  ATTN_CHECK(target >= 0 && target < vocabulary, "target id ", target,
             " is not in a vocabulary of ", vocabulary);
  return target;
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
  return std::exp(log_loss / static_cast<double>(tokens));
}

LossSums cross_entropy_forward(const ConstMatrixView& logits, const int* targets, Real epsilon) {
  ATTN_CHECK_EQ(logits.col_stride, 1, "distance of a row's logits");
  return sum_rows(logits.rows, [&](Index t) {
    // With scale 0 the row is only read.
    Real* row = const_cast<Real*>(&logits(t, 0));
    const Index target = checked_target(targets[t], logits.cols);
    const bool correct = kernels().argmax_row(logits.cols, row) == target;
    return RowResult{kernels().cross_entropy_row(logits.cols, target, epsilon, 0, row), correct};
  });
}

LossSums cross_entropy_backward(const MatrixView& logits, const int* targets, Real epsilon,
                                Real scale) {
  return sum_rows(logits.rows, [&](Index t) {
    Real* row = logits.row(t);
    const Index target = checked_target(targets[t], logits.cols);
    const bool correct = kernels().argmax_row(logits.cols, row) == target;
    return RowResult{kernels().cross_entropy_row(logits.cols, target, epsilon, scale, row),
                     correct};
  });
}

// −Σ_v q_v ln q_v: q is 1 − ε + ε/V for the right token and ε/V for each of the others.
double least_loss(double epsilon, Index V) {
  const double other = epsilon / static_cast<double>(V), right = 1 - epsilon + other;
  const double others = other > 0 ? static_cast<double>(V - 1) * other * std::log(other) : 0;
  return -right * std::log(right) - others;
}

namespace {
Tensor smoothed_targets(const std::vector<int>& targets, Index vocabulary, Real epsilon) {
  Tensor q = Tensor::uninitialised({static_cast<Index>(targets.size()), vocabulary});
  q.fill(epsilon / static_cast<Real>(vocabulary));
  Index t = 0;
  for (const int target : targets) q(t++, target) += 1 - epsilon;
  return q;
}
}  // namespace

void see_loss(const Pass& pass, const ConstMatrixView& logits, const int* targets, Real epsilon) {
  if (!pass.is_watched()) return;
  const std::vector<int> y(targets, targets + logits.rows);
  Tensor p = copy_of(logits);
  softmax(p, 1, Mask::none);
  pass.see("p", "p = softmax(logits)", p);
  pass.see("y", "y, the tokens to predict", y);
  pass.see("q", "q = (1 − ε_ls) onehot(y) + ε_ls/V", smoothed_targets(y, logits.cols, epsilon));

  Tensor losses = Tensor::uninitialised({logits.rows}), loss = Tensor::uninitialised({1});
  LossSums sums;
  for (Index t = 0; t < logits.rows; ++t) {
    const ConstMatrixView row(&logits(t, 0), 1, logits.cols, logits.row_stride);
    const LossSums one = cross_entropy_forward(row, targets + t, epsilon);
    losses[t] = static_cast<Real>(one.loss);
    sums += one;
  }
  loss[0] = static_cast<Real>(sums.mean_loss());
  pass.see("losses", "L_t = −Σ_v q_v ln p_v", losses);
  pass.see("loss", "L = mean of L_t", loss);
}

}  // namespace attn
