// A softmax that survives                                                     ★ 15 min, §3.2.1
//
// Return P [m, n], whose rows are the softmaxes of A's rows:    p_j = e^(a_j) / Σ_l e^(a_l)
//
// It must survive scores of 1000 and far more, where e^a overflows a double, and of −1000 and far
// less, where every e^a of a row may underflow to 0. What can you subtract from all scores of a row
// without changing the weights? A score of −∞ gets the weight 0. A row that is all −∞ has no legal
// key: make it zeros (the paper's formula would give 0/0).
#include "support/exercise.h"

Tensor softmax_rows(const Tensor& A) {
  not_yet();
}
