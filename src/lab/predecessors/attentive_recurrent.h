// Bahdanau's decoder (Bahdanau et al. 2015, §3.1): attention inside the recurrence. Before each
// step the state looks at the source, and the step reads the context that it finds:
//
//     α_t = softmax(score(h_(t−1), K)),   c_t = α_t Z,   h_t = cell([x_t; c_t], h_(t−1))
//
// The old state asks, so no query is known before the step that comes before it: no two steps can
// look at once. [x; c] W is taken apart as in additive attention: x W + c C.
#pragma once

#include <vector>

#include "lab/predecessors/alignment.h"
#include "lab/predecessors/recurrent.h"

namespace attn {

// What the sentences of a batch look at, in the encoder's output.
struct AlignmentMemory {
  const Tensor& z;  // [T_z, d_z]
  const Tensor& K;  // [T_z, …]: the keys, z projected
  Looks looks;      // of every sentence
};

struct AttentiveCache {
  Recurrent::Cache cell;
  Tensor C;                  // [T, d_z], in the order of the steps
  std::vector<Tensor> Q, P;  // one per step: [rows, d_a], and the weights of its looks
};

// context: C [d_z, G·n], without bias. x [T, d_in] → h [T, n]; C receives the contexts [T, d_z].
Tensor attentive_forward(const Recurrent& cell, const Linear& context, const Alignment& alignment,
                         const Tensor& x, const Offsets& offsets, const AlignmentMemory& memory,
                         const Recurrent::State& start, const Pass& pass, AttentiveCache& cache,
                         Tensor& C, Recurrent::State* last);
// From dh, and dC of the contexts, to dx; dz += …, dK += …. Adds to the gradients of all weights
// except those that project keys.
Tensor attentive_backward(Recurrent& cell, Linear& context, Alignment& alignment, const Tensor& dh,
                          const Tensor& dC, const AlignmentMemory& memory, const Pass& pass,
                          const AttentiveCache& cache, Tensor& dz, Tensor& dK,
                          Recurrent::State& dstart);

}  // namespace attn
