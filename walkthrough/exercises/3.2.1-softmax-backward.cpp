// Backward through the softmax of the attention weights                      ★★ 20 min, §3.2.1
//
// Forward, each row a of A [m, n] became a row of weights p:   p_j = e^(a_j) / Σ_l e^(a_l).
// Given P and dP, both [m, n], return dA [m, n].
//
// Each p_j depends on every a_l of its row: ∂p_j/∂a_l = p_j (δ_jl − p_l). Put that into the chain
// rule, da_l = Σ_j dp_j ∂p_j/∂a_l, and simplify before you write a loop. You need one sum per row.
// A itself is not needed, and there is no mask to look at: a weight of 0 takes care of itself.
//
// Try it on paper first: p = (¾, ¼), dp = (1, 0).
#include "support/exercise.h"

Tensor softmax_rows_backward(const Tensor& P, const Tensor& dP) {
  not_yet();
}
