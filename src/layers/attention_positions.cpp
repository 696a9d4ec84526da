// A = (Q Kᵀ + B)/√d_k,   B_ij/√d_k = factor(i − j) w[row(i − j), head]
#include "layers/attention_positions.h"

#include <cmath>

namespace attn {

AttentionPositions::AttentionPositions(const PositionRules& rules_, Index heads_, Index d_k_,
                                       Index d_model, bool causal_)
    : rules(rules_), heads(heads_), d_k(d_k_), causal(causal_) {
  if (!rules.learns()) return;
  const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
  weight = Parameter({rules.rows, heads}, Parameter::Start::normal, deviation, "w");
}

// So that dividing the scores by √d_k leaves the bias as it is.
static Real root_of(Index d_k) {
  return static_cast<Real>(std::sqrt(static_cast<double>(d_k)));
}

std::vector<Real> AttentionPositions::bias(Index head, Index first, Index m, Index n) const {
  std::vector<Real> bias;
  if (rules.share == nullptr) return bias;
  const Real root = root_of(d_k),
             fixed = rules.fixed_weight == nullptr ? 0 : rules.fixed_weight(head, heads);
  for (Index d = 1 - n; d < m; ++d) {
    const BiasShare share = rules.share(first + d, causal);
    const Real w = rules.learns() ? weight.value(share.row, head) : fixed;
    bias.push_back(root * share.factor * w);
  }
  return bias;
}

void AttentionPositions::tell_weights(Index head, Index m, Index n, const Pass& pass) const {
  if (!pass.is_watched() || !rules.learns()) return;
  Tensor rows = Tensor::uninitialised({m + n - 1}), w = Tensor::uninitialised({m + n - 1, 1});
  for (Index d = 1 - n; d < m; ++d) {
    const Index row = rules.share(d, causal).row;
    rows[d + n - 1] = static_cast<Real>(row);
    w[d + n - 1] = weight.value(row, head);
  }
  const ConstMatrixView own = block(weight.value, 0, rules.rows, head, 1);
  pass.as("w", "w_b", "w of the bucket b of i − j").made(w, Operation::lookup, rows, own);
}

void AttentionPositions::bias_backward(const std::vector<Real>& dbias, Index n, Real* dw) const {
  for (std::size_t k = 0; k < dbias.size(); ++k) {
    const BiasShare share = rules.share(static_cast<Index>(k) + 1 - n, causal);
    dw[share.row] += root_of(d_k) * share.factor * dbias[k];
  }
}

void AttentionPositions::add_gradients(const Tensor& dw, const Pass& pass) {
  if (!rules.learns()) return;
  check_gradient(weight);
  Tensor sum = Tensor::zeros({rules.rows, heads});
  for (Index r = 0; r < dw.rows(); ++r) {
    for (Index row = 0; row < rules.rows; ++row) sum(row, r % heads) += dw(r, row);
  }
  pass.as("dw_b", "dw_b", "√d_k Σ dS of the pairs in bucket b").see(sum);
  add(sum, weight.gradient, pass);
}

}  // namespace attn
