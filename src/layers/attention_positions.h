// Positions that attention itself knows, by rules (layers/position_rules.h): queries and keys that
// are turned, or a bias on the scores by the distance of query and key. The paper's model has none of
// these, and every function here returns at once.
#pragma once

#include "layers/parameter.h"
#include "layers/pass.h"
#include "layers/position_rules.h"

namespace attn {

struct AttentionPositions {
  PositionRules rules;
  Index heads = 0, d_k = 0;
  bool causal = false;  // whether keys come before the query only
  Parameter weight;     // w [rows, h], if the bias is learned

  AttentionPositions() = default;
  // w starts as N(0, 1/d_model), as T5's does.
  AttentionPositions(const PositionRules& rules_, Index heads_, Index d_k_, Index d_model,
                     bool causal_);

  bool turn() const { return rules.turned != nullptr; }

  // √d_k times the bias of one head, of m queries at positions from `first` on and n keys, as
  // attention takes it, by distance: [m + n − 1], or empty without a bias.
  std::vector<Real> bias(Index head, Index first, Index m, Index n) const;
  // For a watcher: the learned weights that it is made of, by distance [m + n − 1, 1].
  void tell_weights(Index head, Index m, Index n, const Pass& pass) const;
  // From its gradient, with `first` 0, to one head's dw [rows], added.
  void bias_backward(const std::vector<Real>& dbias, Index n, Real* dw) const;
  // dw [B, h, rows], every sentence's part, added up in the order of the sentences.
  void add_gradients(const Tensor& dw, const Pass& pass);
};

}  // namespace attn
