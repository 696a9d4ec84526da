// One pass through a model, forward or backward: its dropout masks, whether a backward pass
// follows, and perhaps an observer, to which layers show what they compute. Without an observer,
// that costs a comparison.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "layers/dropout.h"
#include "tensor/matrix_view.h"

namespace attn {

// Receives each value as it is computed: its full name, "encoder.0.self_attention.heads.1.S", and
// its numbers (a vector is one row), valid during the call only.
using Observer = std::function<void(const std::string& name, const ConstMatrixView& value)>;

class Pass {
 public:
  // Validation and decoding: no dropout, and no backward pass follows.
  Pass() = default;
  // The same with an observer, which must outlive the pass.
  explicit Pass(const Observer& observer) : observer_(&observer) {}
  // Training: a backward pass follows.
  Pass(const DropoutMasks& masks, const Observer* observer = nullptr)
      : keeps_(true), observer_(observer), masks_(masks) {}

  // The same pass inside a part of the model, which prefixes the names of its values:
  // pass.in("encoder").in(i). The outermost pass must outlive the result.
  Pass in(const char* part) const;
  Pass in(Index number) const;
  // The same pass, with its masks, when a backward pass follows. This one must outlive the result.
  Pass keeping() const;

  // Whether a backward pass follows, and layers keep what it needs in their caches. Without one,
  // all layers of a stack share a cache.
  bool keeps() const { return keeps_; }
  bool is_watched() const { return observer_ != nullptr; }
  void see(const char* name, const ConstMatrixView& value) const {
    if (is_watched()) (*observer_)(scope_ + name, value);
  }
  void see(const char* name, const std::vector<int>& ids) const;

  // The masks are numbered in the order of these calls, which includes those with p = 0. (It
  // counts, though it is const: layers get a const Pass.)
  DropoutMask next_mask(double p) const { return (outermost_ ? outermost_ : this)->masks_.next(p); }
  // x ← x ⊙ the next mask, which an observer sees.
  DropoutMask drop(double p, Tensor& x) const;
  // Shows what a tensor of this shape is multiplied by, as "mask", unless that is 1 everywhere.
  void see(const DropoutMask& mask, const Shape& shape) const;

 private:
  const Pass* outermost_ = nullptr;  // which has the masks of all parts; null in that pass itself
  bool keeps_ = false;
  const Observer* observer_ = nullptr;
  std::string scope_;  // "encoder.0."
  mutable DropoutMasks masks_;
};

}  // namespace attn
