// Dropout (§5.4): while training, each element is set to 0 with probability p, and the others are
// multiplied by 1/(1 − p), which keeps the expected value.
//
// A mask is not stored. It is a pure function of (seed, stream, index), so that backward computes
// the same mask again. With the mask fixed, dropout is a diagonal matrix, which is its own
// transpose: the same function serves forward and backward.
#pragma once

#include "base/random.h"
#include "tensor/tensor.h"

namespace attn {

// One place's mask in one forward pass, from its element number `first`. With p = 0 it lets
// everything through.
struct DropoutMask {
  double p = 0;
  RandomStream random;
  Index first = 0;

  // The mask of a part of x, whose first element is x's number i.
  DropoutMask from(Index i) const { return {p, random, first + i}; }
};

// The masks of one forward pass: each place that drops takes the next one.
class DropoutMasks {
 public:
  // Dropout off.
  DropoutMasks() = default;
  // Dropout on. Passes with different numbers get independent masks.
  DropoutMasks(std::uint64_t seed, std::uint64_t pass) : active_(true), seed_(seed), pass_(pass) {}

  DropoutMask next(double p) {
    if (!active_) return {};
    return {p, {seed_, mix(pass_, ++places_)}};
  }

 private:
  bool active_ = false;
  std::uint64_t seed_ = 0, pass_ = 0, places_ = 0;
};

// x ← x ⊙ mask/(1 − p), in place; and dx likewise.
void dropout(const DropoutMask& mask, Tensor& x);

}  // namespace attn
