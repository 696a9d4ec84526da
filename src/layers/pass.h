// A pass through a model, forward or backward: what accompanies the values from layer to layer. It
// says which dropout masks to use, whether a backward pass will follow, and who is watching.
//
// A layer gives each of its parts a pass of its own, pass.in("self_attention"), and shows the
// values that it computes, under the paper's symbols: pass.see("S", "S = Q Kᵀ", S). So a watcher
// learns of the values from the layers themselves, and only the model knows the order of its
// layers. Without a watcher, both cost one comparison.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "layers/dropout.h"
#include "tensor/matrix_view.h"

namespace attn {

class Pass;

// A value as a watcher receives it. Everything in it is valid during the call only.
struct SeenValue {
  const Pass& where;
  const char* name;     // the last part of its name: "S"
  const char* formula;  // "S = Q Kᵀ"; "= x + f" stands for "NAME = x + f"
  const char* file;     // that shows it: ".../src/layers/attention.cpp"
  Shape shape;
  ConstMatrixView numbers;  // a vector is one row

  std::string full_name() const;  // "encoder.0.self_attention.heads.1.S"
};

// An observer of passes. Each function may be empty.
struct Watcher {
  // Called for each value, in the order of computation. Heads then run one after another.
  std::function<void(const SeenValue&)> value;
  // Called where a part of the model begins and ends. Parts are nested.
  std::function<void(const Pass&)> begin, end;
};

class Pass {
 public:
  // No backward pass follows, no dropout: validation and decoding. The watcher must outlive it.
  Pass() = default;
  explicit Pass(const Watcher& watcher) : watcher_(&watcher) {}
  // A backward pass follows.
  Pass(const DropoutMasks& masks, const Watcher* watcher = nullptr)
      : watcher_(watcher), keeps_(true), masks_(masks) {}

  // A copy draws the same dropout masks again, and neither begins nor ends its part.
  Pass(const Pass& other)
      : outer_(other.outer_),
        name_(other.name_),
        number_(other.number_),
        watcher_(other.watcher_),
        keeps_(other.keeps_),
        backward_(other.backward_),
        masks_(other.masks_) {}
  Pass& operator=(const Pass&) = delete;
  ~Pass() {
    if (is_part_ && watcher_ != nullptr && watcher_->end) watcher_->end(*this);
  }

  // The same pass inside a part of the model, for as long as the result lives: a layer's attention,
  // or layer number i of a stack. This pass must outlive the result.
  Pass in(const char* name) const { return {*this, name, -1}; }
  Pass in(Index number) const { return {*this, nullptr, number}; }
  // The same, with a backward pass to follow.
  Pass keeping() const;
  // The backward pass that follows it.
  Pass back() const;

  // Whether a backward pass follows. If not, layers keep nothing in their caches.
  bool keeps() const { return keeps_; }
  // Whether this is the backward pass.
  bool is_backward() const { return backward_; }
  // The parts it is in, outermost first: "encoder.0.self_attention"; empty for the whole model.
  std::string name() const;

  // The next place's dropout mask. Forward only.
  DropoutMask next_mask(double p) const;
  // Applies the next mask to x, as a part named "dropout".
  DropoutMask drop(double p, Tensor& x) const;
  // Backward: the same mask again.
  void drop(const DropoutMask& mask, Tensor& dx) const;

  // Whether there is a watcher of values. What is computed for watchers alone is computed only
  // then.
  bool is_watched() const { return watcher_ != nullptr && watcher_->value; }
  // Shows a value: a tensor, a view, ids, or a function that computes a Tensor for the watcher.
  template <class Value>
  void see(const char* name, const char* formula, const Value& value,
           const char* file = __builtin_FILE()) const {
    if (!is_watched()) return;
    if constexpr (std::is_invocable_v<Value>) {
      show(name, formula, value(), file);
    } else {
      show(name, formula, value, file);
    }
  }

 private:
  Pass(const Pass& outer, const char* name, Index number);
  void show(const char* name, const char* formula, const Tensor& value, const char* file) const;
  void show(const char* name, const char* formula, const ConstMatrixView& value,
            const char* file) const;
  void show(const char* name, const char* formula, const std::vector<int>& ids,
            const char* file) const;

  const Pass* outer_ = nullptr;
  const char* name_ = nullptr;
  Index number_ = -1;
  const Watcher* watcher_ = nullptr;
  bool keeps_ = false, backward_ = false, is_part_ = false;
  mutable DropoutMasks masks_;  // of the outermost pass: all parts draw from it
};

}  // namespace attn
