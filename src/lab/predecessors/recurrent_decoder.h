// The decoder of a recurrent encoder–decoder: a stack of layers that reads the target, and starts
// with states from the encoder. Without attention, it knows nothing else of the source: a vector
// per layer, however long the sentence.
//
//     Bahdanau et al. 2015   the old state of the bottom layer asks, before each step, and the step
//                            reads the context (predecessors/attentive_recurrent.cpp)
//     Luong et al. 2015      the new state of the top layer asks, after all steps: all queries at
//                            once, as in the paper. (Their variant that feeds h̃ to the next step,
//                            which is sequential again, is not here.)
//
// Either way the output is Luong's attentional layer, h̃ = tanh(W_c [s; c]), of the top state and
// the context. (Bahdanau et al. read s, c and the last token with a maxout layer instead.)
#pragma once

#include <string>
#include <vector>

#include "lab/predecessors/alignment.h"
#include "lab/predecessors/recurrent.h"
#include "lab/predecessors/recurrent_config.h"

namespace attn {

struct RecurrentDecoder {
  RecurrentAttention attention = RecurrentAttention::none;
  std::vector<Recurrent> layers;
  Alignment alignment;
  Linear context;                         // C [d_z, G·n], Bahdanau's
  Linear readout_state, readout_context;  // W_c's parts for s [n, n] and c [d_z, n]
  double p_drop = 0;

  struct Cache {
    std::vector<Recurrent::Cache> layers;
    std::vector<DropoutMask> masks;  // on what layer i + 1 reads
    // Queries […, d_a], and the weights of their looks: Bahdanau's of each step, Luong's of all.
    std::vector<Tensor> Q, P;
    Tensor s, C, h;  // [T, n], [T, d_z], [T, n]: what the attentional layer reads and writes
  };

  explicit RecurrentDecoder(const RecurrentConfig& config);

  // g [T, n], embedded target tokens, → h [T, n]. start has a state per layer; last, if not null,
  // receives those that the sentences end with.
  Tensor forward(Tensor g, const Offsets& offsets, const AlignmentMemory& memory,
                 const std::vector<Recurrent::State>& start, const Pass& pass, Cache& cache,
                 std::vector<Recurrent::State>* last = nullptr) const;
  // Returns dg; dz += …, dK += …; dstart receives the gradient of each layer's start.
  Tensor backward(Tensor dh, const AlignmentMemory& memory, const Pass& pass, const Cache& cache,
                  Tensor& dz, Tensor& dK, std::vector<Recurrent::State>& dstart);

  void visit(const std::string& name, const ParameterVisitor& visitor);

 private:
  // Bahdanau's bottom layer (attentive_recurrent.cpp). x [T, n] → h [T, n], contexts C [T, d_z].
  Tensor attentive_forward(const Tensor& x, const Offsets& offsets, const AlignmentMemory& memory,
                           const Recurrent::State& start, const Pass& pass, Cache& cache, Tensor& C,
                           Recurrent::State* last) const;
  // From dh, and dC of the contexts, to dx; dz += …, dK += …. Adds to the gradients of all weights
  // except those that project keys.
  Tensor attentive_backward(const Tensor& dh, const Tensor& dC, const AlignmentMemory& memory,
                            const Pass& pass, const Cache& cache, Tensor& dz, Tensor& dK,
                            Recurrent::State& dstart);
};

}  // namespace attn
