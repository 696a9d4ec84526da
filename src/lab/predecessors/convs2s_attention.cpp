// c = √m · softmax(d zᵀ) (z + e),  d = h W + b + g
#include "lab/predecessors/convs2s_attention.h"

#include <cmath>
#include <utility>

#include "kernels/kernels.h"

namespace attn {

// The rows of x times √m, for the m keys that each looks at.
static void scale_by_length(const Looks& looks, Tensor& x) {
  for (const Look& look : looks) {
    const Real root = std::sqrt(static_cast<Real>(look.keys));
    Real* rows = x.row(look.query);
    kernels().vector_scaled_copy(look.queries * x.cols(), root, rows, rows);
  }
}

// N(0, 1/n) for sums of n terms, §3.5.
ConvS2SAttention::ConvS2SAttention(Index d_model) : query(d_model, d_model, true) {
  query.weight.start = Parameter::Start::normal;
  query.weight.scale = 1 / std::sqrt(to_double(d_model));
}

Tensor ConvS2SAttention::forward(const Tensor& h, const Tensor& g, const AlignmentMemory& memory,
                                 const Pass& pass, Cache& cache) const {
  // d = h W + b + g
  Tensor d = query.forward(h);
  add(g, d);

  // P = softmax(d zᵀ),  c = √m · P v
  Tensor P;
  Tensor c = Alignment().forward(d, memory, pass, P);
  scale_by_length(memory.looks, c);
  pass.see("c", c);
  if (pass.keeps()) cache = {std::move(d), std::move(P)};
  return c;
}

Tensor ConvS2SAttention::backward(const Tensor& dc, const Tensor& h, const AlignmentMemory& memory,
                                  const Pass& pass, const Cache& cache, Tensor& dg, Tensor& dz,
                                  Tensor& dv) {
  // c = √m · P v: from √m dc to dd, dz and dv.
  Tensor scaled = dc;
  scale_by_length(memory.looks, scaled);
  const Tensor dd = Alignment().backward(scaled, cache.d, memory, pass, cache.P, dz, dv);

  // d = h W + b + g
  add(dd, dg);
  return query.backward(dd, h);
}

}  // namespace attn
