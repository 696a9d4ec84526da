// Attention, backward                                                       ★★★ 40 min, §3.2.1
//
//     S = Q Kᵀ        A = S/√d_k        P = softmax(A) by rows        O = P V
//
// Given dO [m, d_v], the inputs Q [m, d_k], K [n, d_k], V [n, d_v] and the weights P [m, n] that
// forward kept, return dQ, dK and dV.
//
// Undo the steps in reverse order. For a product C = A B: dA = dC Bᵀ, dB = Aᵀ dC. You may take the
// softmax's backward pass from your solution of 3.2.1-softmax-backward.
#include "support/exercise.h"

struct AttentionGradients {
  Tensor dQ, dK, dV;
};

AttentionGradients attend_backward(const Tensor& dO, const Tensor& Q, const Tensor& K,
                                   const Tensor& V, const Tensor& P) {
  not_yet();
}
