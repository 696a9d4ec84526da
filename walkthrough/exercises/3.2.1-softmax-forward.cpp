// A softmax that survives                                                     ★ 15 min, §3.2.1
//
// Return P [m, n], each row of it the softmax of a row of A:    p_j = e^(a_j) / Σ_l e^(a_l)
//
// It must survive scores of 1000 and far more, where e^a is more than a double holds, and of −1000
// and far less, where all e^a of a row may be 0. What may you subtract from all scores of a row
// without changing the weights? A score of −∞ gets the weight 0. And a row that is −∞ throughout
// has no legal key: make it zeros (the paper's formula would give 0/0).
#include "support/exercise.h"

Tensor softmax_rows(const Tensor& A) {
  not_yet();
}
