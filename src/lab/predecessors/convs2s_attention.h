// ConvS2S's attention (Gehring et al. 2017, §3.3), one in every decoder layer, of one head:
//
//     d = h W + b + g          P = softmax(d zᵀ)          c = √m · P (z + e)
//
// A query knows the decoder's state h and the target word g that was read last. Keys are the
// encoder's output z as it is; values also are the source words e, so that what is found is also a
// word. There are no projections of keys or values, and no 1/√d: the embeddings start small
// instead. A mean of m independent vectors has a variance of 1/m, which √m undoes (§3.4).
#pragma once

#include "lab/predecessors/alignment.h"

namespace attn {

struct ConvS2SAttention {
  Linear query;  // W, b [d_model, d_model]

  struct Cache {
    Tensor d;  // [T, d_model]
    Tensor P;  // every look's weights [n, m], one after another
  };

  explicit ConvS2SAttention(Index d_model);

  // h, g, c [T, d_model]. The memory's keys are z, and its values v = z + e [T_source, d_model].
  Tensor forward(const Tensor& h, const Tensor& g, const AlignmentMemory& memory, const Pass& pass,
                 Cache& cache) const;
  // Returns dh; adds to dg, dz and dv.
  Tensor backward(const Tensor& dc, const Tensor& h, const AlignmentMemory& memory,
                  const Pass& pass, const Cache& cache, Tensor& dg, Tensor& dz, Tensor& dv);

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    query.visit(name + ".query", visitor);
  }
};

}  // namespace attn
