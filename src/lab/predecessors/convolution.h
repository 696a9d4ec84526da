// Convolutions over the positions of a sentence: an output sees the k positions of its window, each
// through a matrix of its own (ConvS2S, Gehring et al. 2017). With dilation, layers that double it
// see a path that grows exponentially with depth (ByteNet, Kalchbrenner et al. 2016).
//
// A window never crosses a sentence's border: what is outside of it is 0.
#pragma once

#include "lab/predecessors/recent.h"
#include "lab/predecessors/window.h"
#include "layers/linear.h"

namespace attn {

struct Convolution {
  Window window;
  Linear
      taps;  // W [k·in, out], rows j·in to (j + 1)·in are W_j, that of the window's position j; b

  Convolution() = default;
  Convolution(Index in, Index out, const Window& window_);

  // y_t = Σ_j x_{t + offset(j)} W_j + b          x [T, in]   y [T, out], packed
  Tensor forward(const Tensor& x, const Offsets& offsets) const;
  // dx_s = Σ_j dy_{s − offset(j)} W_jᵀ           dW_j += Σ_t x_{t + offset(j)}ᵀ dy_t     db += Σ_t
  // dy_t
  Tensor backward(const Tensor& dy, const Tensor& x, const Offsets& offsets);

  // Decoding one step with a causal window: row r of x [R, in] is the newest position of its
  // sentence, y [R, out]. The same bits as forward gives.
  Recent start(Index rows) const {
    return {rows, window.reach() + 1, taps.weight.value.rows() / window.width};
  }
  Tensor step(const Tensor& x, Recent& past) const;

  void visit(const std::string& name, const ParameterVisitor& visitor) {
    taps.visit(name, visitor);
  }
};

}  // namespace attn
