// The cells of recurrent networks, one row at a time: how the state of a sentence changes with a
// token. x W + b and h U are computed elsewhere, for many rows at once.
//
//     RNN  (Elman 1990)                         h' = tanh(x W + b + h U)
//
//     LSTM (Hochreiter & Schmidhuber 1997;      i, f, o = σ(…), g = tanh(…), of x W + b + h U
//           forget gate: Gers et al. 2000)      c' = f ⊙ c + i ⊙ g
//                                               h' = o ⊙ tanh(c')
//
//     GRU  (Cho et al. 2014)                    r, z = σ(x W + b + h U + b_U)
//                                               m = h U_n + b_n
//                                               ñ = tanh(x W_n + b_n' + r ⊙ m)
//                                               h' = (1 − z) ⊙ ñ + z ⊙ h
//
// Cho et al. reset the state before the product, (r ⊙ h) U_n. Resetting after it, as cuDNN and
// PyTorch do, computes the products of all three gates at once. The gates of a row are next to each
// other, those with σ first: i f o g, and r z n.
#pragma once

#include "base/real.h"

namespace attn {

enum class Cell { rnn, gru, lstm };

// A row of gates has 1, 3 or 4 times n numbers.
Index gates_of(Cell cell);

// x ← 1/(1 + e^−x) and x ← tanh x, of n numbers. The error is absolute: that of numbers near 1.
void sigmoid(Index n, Real* x);
void hyperbolic_tangent(Index n, Real* x);
// dy ← dy ⊙ (1 − y²), for y = tanh x.
void hyperbolic_tangent_backward(Index n, const Real* y, Real* dy);

// a: x W + b + h U, becomes the gates. h, c: the new state.
void rnn_forward(Index n, Real* a, Real* h);
void lstm_forward(Index n, Real* a, const Real* c_old, Real* c, Real* tanh_c, Real* h);
// a: x W + b; u: h U + b_U, of which n numbers are left for backward: m.
void gru_forward(Index n, Real* a, const Real* u, const Real* h_old, Real* m, Real* h);

// From dh, the gradient of the new state, to da, that of x W + b and of h U. dh becomes the part of
// the old state's gradient that does not pass through U; dc, of c, becomes that of c_old.
void rnn_backward(Index n, const Real* a, Real* dh, Real* da);
void lstm_backward(Index n, const Real* a, const Real* c_old, const Real* tanh_c, Real* dh,
                   Real* dc, Real* da);
// du: the gradient of h U + b_U, which differs from da here.
void gru_backward(Index n, const Real* a, const Real* m, const Real* h_old, Real* dh, Real* da,
                  Real* du);

}  // namespace attn
