// How much the tokens of a sentence differ (5.3, rank collapse).
#pragma once

#include "tensor/matrix_view.h"
#include "tensor/packed.h"

namespace attn::walkthrough {

// The share of the squares of x [T, d] that is due to differences between a sentence's tokens:
//     Σ_t |x_t − (mean of x over t's sentence)|² / Σ_t |x_t|²
inline double token_variation(const ConstMatrixView& x, const Offsets& offsets) {
  double different = 0, all = 0;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index begin = offsets[b], end = offsets[b + 1];
    for (Index j = 0; j < x.cols; ++j) {
      double mean = 0;
      for (Index t = begin; t < end; ++t) mean += static_cast<double>(x(t, j));
      mean /= static_cast<double>(end - begin);
      for (Index t = begin; t < end; ++t) {
        const double value = static_cast<double>(x(t, j));
        different += (value - mean) * (value - mean);
        all += value * value;
      }
    }
  }
  return different / all;
}

}  // namespace attn::walkthrough
