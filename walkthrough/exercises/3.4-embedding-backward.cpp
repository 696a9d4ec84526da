// The embedding, backward                                                     ★ 10 min, §3.4
//
// Forward:  e_t = √d_model · E[ids_t]          E [V, d_model]   ids [T]   e [T, d_model]
// Given de [T, d_model], add to dE [V, d_model].
//
// The same token may occur twice in a sentence.
#include "support/exercise.h"

void embedding_backward(const Tensor& de, const std::vector<int>& ids, Tensor& dE) {
  not_yet();
}
