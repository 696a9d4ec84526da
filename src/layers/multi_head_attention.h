// Multi-head attention (§3.2.2): h attentions side by side, each on its own projections of the
// input.
//
//     MultiHead(Q, K, V) = Concat(head_1, …, head_h) W^O
//     head_i = Attention(Q W^Q_i, K W^K_i, V W^V_i)
//
// The h matrices W^Q_i [d_model, d_k] are side by side in one matrix W^Q [d_model, h·d_k], so one
// product projects for all heads; head i, from 0, is columns i·d_k to (i + 1)·d_k − 1 of the
// result. d_k and d_v need not be d_model/h. The projections have no biases unless asked for.
//
// A batch is packed: the tokens of all its sentences are the rows of one matrix [T, d_model]. The
// pattern says of each sentence which rows are its queries, and which its keys.
#pragma once

#include "layers/attention.h"
#include "layers/attention_pattern.h"
#include "layers/linear.h"

namespace attn {

struct MultiHeadAttention {
  Index heads = 0, d_k = 0, d_v = 0;
  double weights_dropout = 0;  // on P; 0 in the paper
  Linear query;                // W^Q [d_model, h·d_k]
  Linear key;                  // W^K [d_model, h·d_k]
  Linear value;                // W^V [d_model, h·d_v]
  Linear output;               // W^O [h·d_v, d_model]
  bool rotary = false;         // whether positions turn queries and keys (layers/rotary.h)

  struct Cache {          // what forward leaves for backward
    Tensor Q;             // [T_x, h·d_k], turned if rotary
    KeyValues projected;  // K [T_memory, h·d_k], turned if rotary, and V [T_memory, h·d_v]
    Tensor P;             // if kept, every sentence's h weight matrices [m, n], one after another
    Tensor concat;        // [T_x, h·d_v]
    DropoutMask weights_mask;
  };

  MultiHeadAttention(Index d_model, Index heads_, Index d_k_, Index d_v_, bool biases,
                     double weights_dropout_);

  // Queries are computed from x [T_x, d_model], keys and values from the memory [T_memory,
  // d_model]. In self-attention they are the same; in encoder–decoder attention the memory is the
  // encoder's output (§3.2.3). The result is [T_x, d_model].
  Tensor forward(const Tensor& x, const Tensor& memory, const AttentionPattern& pattern,
                 const Pass& pass, Cache& cache) const;
  // Adds to the gradients of the four projections, and adds the gradient through queries to dx
  // [T_x, d_model], that through keys and values to dmemory [T_memory, d_model]. In self-attention
  // dx and dmemory are one tensor. Each row of x and of the memory has to be in a sentence.
  void backward(const Tensor& dy, const Tensor& x, const Tensor& memory,
                const AttentionPattern& pattern, const Pass& pass, const Cache& cache, Tensor& dx,
                Tensor& dmemory);

  // The keys and values that forward computes from a memory whose tokens are at these positions.
  KeyValues project(const Tensor& memory, const std::vector<Index>& positions) const;

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
