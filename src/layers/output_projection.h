// The output projection (§3.4) and its loss (§5.4): from the decoder's output to logits, one for
// each token of the vocabulary, and on to the cross-entropy of the target tokens.
//
//     logits = h W        W [d_model, V], or Eᵀ if the embedding's matrix E [V, d_model] is shared
//
// Logits are the largest tensor of all, so they are computed for some of the tokens at a time, and
// the backward pass of those is finished before the next are computed.
#pragma once

#include <vector>

#include "layers/cross_entropy.h"
#include "layers/embedding.h"

namespace attn {

// The number of tokens, of T, whose logits are in memory at once: about 8 million logits, but never
// fewer than 16 tokens.
Index tokens_at_once(Index T, Index V);

struct OutputProjection {
  Parameter weight;  // W; empty if E is shared

  // Shares the matrix of the embedding that the functions below are given.
  OutputProjection() = default;
  // Has a matrix of its own and ignores the embedding.
  OutputProjection(Index d_model, Index vocabulary);

  // h [T, d_model] → logits [T, V]
  Tensor logits(const Tensor& h, const Embedding& shared) const;
  // The loss of predicting targets [T] from h, with label smoothing ε.
  LossSums loss(const Tensor& h, const Embedding& shared, const std::vector<int>& targets,
                double epsilon, const Pass& pass) const;
  // The same; adds the gradient of scale · (the sum of the losses) to that of W, or E, and writes
  // that of h to dh, which it makes [T, d_model].
  LossSums loss_and_gradients(const Tensor& h, Embedding& shared, const std::vector<int>& targets,
                              double epsilon, Real scale, const Pass& pass, Tensor& dh);

  void visit(const std::string& name, const ParameterVisitor& visitor);

 private:
  ConstMatrixView matrix(const Embedding& shared) const;
};

// The matrices of two languages and of the projection; the target's embedding is empty if all share
// the source's, which is then "embedding" (§3.4).
void visit_embeddings(Embedding& source, Embedding& target, OutputProjection& projection,
                      const ParameterVisitor& visitor);

}  // namespace attn
