// Attention before the paper: a decoder's state looks at what the encoder has written of each
// source token. All kinds do the same three things and differ in the first:
//
//     scores    e = score(q, k)        how well does the query fit each key?
//     weights   α = softmax(e)
//     context   c = Σ_j α_j v_j        often the values are the keys: the encoder's states
//
//     additive  vᵀ tanh(W_q q + W_k k)   Bahdanau et al. 2015; Luong's "concat", vᵀ tanh(W [q; k])
//     general   qᵀ W k                   Luong et al. 2015
//     dot       qᵀ k                     Luong et al. 2015, ConvS2S: §3.2.1 without 1/√d_k
//
// The paper's is the last, with the W of the second split into W^Q W^Kᵀ, and projected values.
#pragma once

#include <string>
#include <vector>

#include "layers/linear.h"
#include "layers/pass.h"
#include "tensor/packed.h"

namespace attn {

// Queries that look at the same memory: rows [query, query + queries) of Q at rows [key, key +
// keys) of K and V. Their weights are a matrix [queries, keys] in P, from element `weights` on.
struct Look {
  Index query, queries, key, keys;
  Index weights = 0;

  MatrixView in(Tensor& P) const { return {P.data() + weights, queries, keys, keys}; }
  ConstMatrixView in(const Tensor& P) const { return {P.data() + weights, queries, keys, keys}; }
};
using Looks = std::vector<Look>;
// One more, whose weights follow those of the others.
void add_look(Look look, Looks& looks);
// Sentence b of the target looks at sentence b of the source.
Looks looks_of_sentences(const Offsets& target, const Offsets& source);
// In decoding each row is a query by itself. At first, row b looks at sentence b of the source.
Looks looks_of_rows(const Offsets& source);
// Row r looks where row rows[r] did.
Looks reordered(const Looks& looks, const std::vector<Index>& rows);

// What is looked at, and by whom. The keys are projected already.
struct AlignmentMemory {
  const Tensor& K;  // [T_source, …]
  const Tensor& V;  // [T_source, d_v]
  Looks looks;
};

struct Alignment {
  enum class Kind { additive, general, dot };

  Kind kind = Kind::dot;
  Linear query;    // W_q [d_q, d_a], or W [d_q, d_k]; none for dot
  Linear key;      // W_k [d_k, d_a]; additive only
  Parameter v;     // [d_a]; additive only
  Real scale = 1;  // of the scores, before softmax

  Alignment() = default;
  // d_a: the width of the additive kind's hidden layer.
  Alignment(Kind which, Index d_q, Index d_k, Index d_a);

  // The projections, each computed once, however many look: [R, d_a], or [R, d_k].
  Tensor queries_of(const Tensor& x) const;
  Tensor keys_of(const Tensor& memory) const;

  // The contexts [R, d_v] of projected queries Q [R, …]. P receives the weights.
  Tensor forward(const Tensor& Q, const AlignmentMemory& memory, const Pass& pass, Tensor& P) const;
  // From dC to dQ, which is returned, and dK += …, dV += …. No two looks may share rows of K.
  // Adds to the gradient of v, not to those of the projections.
  Tensor backward(const Tensor& dC, const Tensor& Q, const AlignmentMemory& memory,
                  const Pass& pass, const Tensor& P, Tensor& dK, Tensor& dV);

  // Through the projections: adds to their gradients; dx is returned, dmemory += ….
  Tensor queries_backward(const Tensor& dQ, const Tensor& x);
  void keys_backward(const Tensor& dK, const Tensor& memory, Tensor& dmemory);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
