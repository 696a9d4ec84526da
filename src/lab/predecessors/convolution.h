// Convolutions over the positions of a sentence: an output sees the k positions of its window, each
// through a matrix of its own (ConvS2S, Gehring et al. 2017). With dilation, layers that double it
// see a path that grows exponentially with depth (ByteNet, Kalchbrenner et al. 2016).
//
// A window never crosses a sentence's border: what is outside of it is 0.
#pragma once

#include "lab/predecessors/window.h"
#include "layers/linear.h"
#include "layers/pass.h"

namespace attn {

struct Convolution {
  Window window;
  Linear taps;  // W [k·in, out], whose rows j·in to (j + 1)·in are W_j, for position j; b [out]

  Convolution(Index in, Index out, const Window& window_);

  // y_t = Σ_j x_{t + offset(j)} W_j + b          x [T, in]   y [T, out], packed
  Tensor forward(const Tensor& x, const Offsets& offsets) const;
  // dx_s = Σ_j dy_{s − offset(j)} W_jᵀ   dW_j += Σ_t x_{t + offset(j)}ᵀ dy_t   db += Σ_t dy_t
  Tensor backward(const Tensor& dy, const Tensor& x, const Offsets& offsets);

  // Decoding one step with a causal window: row r of x [R, in] is the newest position of its
  // sentence, y [R, out]. A row of `past` has all that a later window can reach, the oldest first;
  // zeros stand for positions before the first. The same bits as forward gives.
  Tensor start(Index rows) const;
  Tensor step(const Tensor& x, Tensor& past) const;

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    taps.visit(name, visitor);
  }
};

// Separable convolutions (Chollet 2017, the paper's [6]): what a convolution does at once, in two
// steps. "Depthwise", each channel is filtered by k weights of its own; "pointwise", one matrix
// mixes the channels. That is k·n·d + n·d² multiply-adds instead of k·n·d² (§4).
struct SeparableConvolution {
  Window window;
  Parameter depthwise;  // w [k, in]
  Linear pointwise;     // W [in, out], b

  struct Cache {
    Tensor z;  // [T, in]
  };

  SeparableConvolution(Index in, Index out, const Window& window_);

  // z_t = Σ_j w_j ⊙ x_{t + offset(j)},  y = z W + b          x [T, in]   y [T, out], packed
  Tensor forward(const Tensor& x, const Offsets& offsets, const Pass& pass, Cache& cache) const;
  // dx_s = Σ_j w_j ⊙ dz_{s − offset(j)}          dw_j += Σ_t x_{t + offset(j)} ⊙ dz_t
  Tensor backward(const Tensor& dy, const Tensor& x, const Offsets& offsets, const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    visitor(name + ".depthwise", depthwise);
    pointwise.visit(name + ".pointwise", visitor);
  }
};

}  // namespace attn
