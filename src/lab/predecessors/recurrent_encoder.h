// The encoder of a recurrent encoder–decoder: a stack of layers, each reading the one below.
// Without attention, and with Luong's, it reads forwards, and the decoder starts with each layer's
// last state (Sutskever et al. 2014; Luong et al. 2015). With Bahdanau's, each layer reads in both
// directions, and z_j = [→h_j; ←h_j] knows what comes before and after the token; the decoder
// starts with s_0 = tanh(W_s ←h_1), where ←h_1 is the last state of the backward reader. (Bahdanau
// et al. have one layer, and no second to read z.)
#pragma once

#include <string>
#include <vector>

#include "lab/predecessors/recurrent.h"
#include "lab/predecessors/recurrent_config.h"

namespace attn {

struct RecurrentEncoder {
  std::vector<Recurrent> forwards;
  std::vector<Recurrent> backwards;  // in both directions only, as is
  std::vector<Linear> start;         // W_s [n, n] and a bias, of each layer
  double p_drop = 0;

  struct Output {
    Tensor z;                             // [T, n] or [T, 2n]
    std::vector<Recurrent::State> start;  // what each layer of the decoder starts with
  };
  struct Cache {
    std::vector<Recurrent::Cache> forwards, backwards;
    std::vector<Tensor> last, start;  // ←h_1 and tanh(W_s ←h_1) [B, n]
    std::vector<DropoutMask> masks;   // on what layer i + 1 reads
  };

  explicit RecurrentEncoder(const RecurrentConfig& config);

  // e [T, n]: embedded tokens.
  Output forward(Tensor e, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  // Returns de.
  Tensor backward(Tensor dz, const std::vector<Recurrent::State>& dstart, const Pass& pass,
                  const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
