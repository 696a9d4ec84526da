// Embeddings (§3.4): a token's id selects a row of E, and the row is multiplied by √d_model.
#pragma once

#include <vector>

#include "layers/parameter.h"

namespace attn {

struct Embedding {
  // E [V, d_model] ~ N(0, 1/d_model): then e = √d_model · E[id] has variance 1, and so have the
  // logits h Eᵀ of a normalised h when the same matrix serves as the output projection.
  Parameter weight;

  Embedding() = default;
  Embedding(Index vocabulary, Index d_model);

  // e_t = √d_model · E[ids_t]          ids [T]   e [T, d_model].  An id outside [0, V) is an error.
  Tensor forward(const std::vector<int>& ids) const;
  // dE[ids_t] += √d_model · de_t       A token that occurs twice collects both gradients.
  void backward(const Tensor& de, const std::vector<int>& ids);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
