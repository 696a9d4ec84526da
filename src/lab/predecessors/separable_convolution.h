// Separable convolutions (Chollet 2017, the paper's [6]): what a convolution does at once, in two
// steps. "Depthwise", each channel is filtered by k weights of its own; "pointwise", one matrix
// mixes the channels. That is k·n·d + n·d² multiply-adds instead of k·n·d² (§4).
//
//     z_t = Σ_j w_j ⊙ x_{t + offset(j)}          y_t = z_t W + b
#pragma once

#include "lab/predecessors/recent.h"
#include "lab/predecessors/window.h"
#include "layers/linear.h"
#include "layers/pass.h"

namespace attn {

struct SeparableConvolution {
  Window window;
  Parameter depthwise;  // w [k, in]
  Linear pointwise;     // W [in, out], b

  struct Cache {
    Tensor z;  // [T, in]
  };

  SeparableConvolution() = default;
  SeparableConvolution(Index in, Index out, const Window& window_);

  // x [T, in]   y [T, out], packed
  Tensor forward(const Tensor& x, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  // dx_s = Σ_j w_j ⊙ dz_{s − offset(j)}          dw_j += Σ_t x_{t + offset(j)} ⊙ dz_t
  Tensor backward(const Tensor& dy, const Tensor& x, const Offsets& offsets, const Cache& cache);

  // Decoding one step with a causal window; see Convolution.
  Recent start(Index rows) const { return {rows, window.reach() + 1, depthwise.value.cols()}; }
  Tensor step(const Tensor& x, Recent& past) const;

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
