// Label-smoothed cross-entropy (§5.4; Szegedy et al. 2015): the loss of predicting a token.
//
//     p = softmax(logits),  q = (1 − ε) onehot(target) + ε/V,  L = −Σ_v q_v ln p_v
//
// L is at least the entropy of q (least_loss), which is not 0 when ε is not.
#pragma once

#include "layers/pass.h"

namespace attn {

// Sums over tokens. The means are sums divided by `tokens`.
struct LossSums {
  double loss = 0;      // Σ L, what training minimises
  double log_loss = 0;  // Σ −ln p_target; perplexity is e to the mean of it
  Index correct = 0;    // tokens whose largest logit is the target's
  Index tokens = 0;

  LossSums& operator+=(const LossSums& other);
  double mean_loss() const { return loss / to_double(tokens); }
  double perplexity() const;
  double accuracy() const { return to_double(correct) / to_double(tokens); }
};

// logits [T, V], targets [T]: the sums over the T tokens. A target outside [0, V) is an error.
LossSums cross_entropy_forward(const ConstMatrixView& logits, const int* targets, Real epsilon,
                               const Pass& pass = {});
// The same, and the logits become their gradient: dlogits = scale · (p − q), by rows.
LossSums cross_entropy_backward(const MatrixView& logits, const int* targets, Real epsilon,
                                Real scale, const Pass& pass = {});
// The loss of a model that gives every token exactly its smoothed probability: the entropy of q.
double least_loss(double epsilon, Index V);

}  // namespace attn
