// Arithmetic on the rows of a matrix: softmax, layer normalisation, cross-entropy, sums of columns.
//
// A sum or maximum over a row keeps kLanes partial results (element j goes to lane j mod kLanes)
// and combines them in a fixed tree, so it is the same on every thread and on
// every instruction set, but for portable code, which rounds products before it adds them.
// Functions here run on the calling thread; pointers may not overlap unless it says so.
#pragma once

#include "base/real.h"

namespace attn {

constexpr Index kLanes = 16;

// x ← softmax(scale · x), in place. With n = 0 nothing happens.
void softmax_row(Index n, Real scale, Real* x);
// Given p = softmax(s) and dp, turns dp into ds:  ds = p ⊙ (dp − Σ p ⊙ dp), times scale.
void softmax_row_backward(Index n, Real scale, const Real* p, Real* dp);

// Layer normalisation of `rows` rows of n numbers each, contiguous:
//     x_hat = (x − mean) · inv_std,   inv_std = 1/√(variance + epsilon),   y = gamma ⊙ x_hat + beta
// The variance is biased and taken in a second pass. x_hat may be x.
void layer_norm_rows(Index rows, Index n, Real epsilon, const Real* x, const Real* gamma,
                     const Real* beta, Real* x_hat, Real* inv_std, Real* y);
//     dx = inv_std · (g − mean(g) − x_hat · mean(g ⊙ x_hat)),   g = gamma ⊙ dy.  dx may be dy.
void layer_norm_rows_backward(Index rows, Index n, const Real* dy, const Real* gamma,
                              const Real* x_hat, const Real* inv_std, Real* dx);

// sums[j] += Σ_i x[i, j];  rows are n numbers, contiguous, added in ascending i.
void column_sums(Index rows, Index n, const Real* x, Real* sums);
// sums[j] += Σ_i x[i, j] y[i, j], likewise.
void column_dots(Index rows, Index n, const Real* x, const Real* y, Real* sums);

// Turns a row of logits in place into log-probabilities, x − log Σ exp x.
void log_softmax_row(Index n, Real* x);
// Cross-entropy of a row of logits with the smoothed target q = (1 − ε) onehot(target) + ε/n. With
// scale ≠ 0 the logits become the gradient scale · (p − q); with scale = 0 they stay as they are.
struct RowLoss {
  double smoothed;  // −Σ q log p
  double log;       // −log p_target
};
RowLoss cross_entropy_row(Index n, Index target, Real epsilon, Real scale, Real* logits);

// The position of the largest element; the first of equals. NaNs are passed over, and 0 is returned
// if there is nothing else: look for NaNs elsewhere. n > 0.
Index argmax_row(Index n, const Real* x);
// The largest element, and NaN if any is NaN or ∞; −∞ if there is none.
Real largest_row(Index n, const Real* x);

}  // namespace attn
