// The kinds of layer that encoder and decoder consist of, with inputs of the size that a step gives
// them, ready to be run again and again. What a pass overwrites is given back to the next, so that
// nothing is copied which a step does not copy either.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/benchmark_layers.h"

namespace attn::app {

Tensor random_tensor(const Shape& shape, std::uint64_t stream);

// The tokens of the encoder, or those of the decoder.
struct Side {
  std::string name;
  const Offsets& offsets;  // [B + 1]
  Tensor x, dy;            // [T, d_model]

  Side(std::string name_, const Offsets& offsets_, Index d_model);
};
using SharedSide = std::shared_ptr<const Side>;

// To count bytes: the numbers of a tensor, and what they take.
inline double size(const Tensor& x) {
  return static_cast<double>(x.elements());
}
inline double bytes(double numbers) {
  return numbers * static_cast<double>(sizeof(Real));
}

LayerKind attention_kind(const Config& config, const std::string& name,
                         const std::vector<MultiHeadAttention*>& layers, const SharedSide& x,
                         const SharedSide& memory, Mask mask);
// Attention's softmax alone, of all heads and sentences.
LayerKind softmax_kind(const Config& config, Index count, const SharedSide& x,
                       const SharedSide& memory, Mask mask);
LayerKind feed_forward_kind(const Config& config, const std::vector<FeedForward*>& layers,
                            const SharedSide& side);
// Add & Norm around a sub-layer that does nothing, without dropout.
LayerKind add_and_norm_kind(const std::vector<Residual*>& layers, const SharedSide& side);
LayerKind dropout_kind(double p, Index count, const SharedSide& side);

}  // namespace attn::app
