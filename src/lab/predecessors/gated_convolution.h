// What a layer of ConvS2S is made of (Gehring et al. 2017, §3.2): dropout, a convolution that
// doubles the channels, and a gated linear unit that halves them again.
#pragma once

#include "lab/predecessors/convolution.h"
#include "layers/pass.h"

namespace attn {

struct GatedConvolution {
  Convolution convolution;  // [d_model → 2 d_model]
  double p_drop = 0;

  struct Cache {
    DropoutMask mask;
    Tensor a;  // [T, 2 d_model], before the gate
  };

  GatedConvolution() = default;
  GatedConvolution(Index d_model, const Window& window, double p_drop_);

  // h = GLU(a),  a = Convolution(Dropout(x))          x, h [T, d_model], packed
  Tensor forward(const Tensor& x, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  Tensor backward(const Tensor& dh, const Tensor& x, const Offsets& offsets, const Pass& pass,
                  const Cache& cache);

  // Decoding one step; see Convolution.
  Recent start(Index rows) const { return convolution.start(rows); }
  Tensor step(const Tensor& x, Recent& past) const;

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    convolution.visit(name + ".convolution", visitor);
  }
};

}  // namespace attn
