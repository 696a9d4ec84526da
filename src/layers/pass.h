// A pass through a model, forward or backward: what accompanies the values from layer to layer. It
// says which dropout masks to use, whether a backward pass will follow, and who is watching.
//
// A layer gives each of its parts a pass of its own, pass.in("self_attention"), and names what it
// computes by the paper's symbols, in the same call: matmul(Q, transposed(K), S, pass.as("S")). So
// a watcher learns of the values, and of how they were made, from the layers themselves, and only
// the model knows the order of its layers. Without a watcher, both cost one comparison.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "layers/dropout.h"
#include "layers/made.h"

namespace attn {

class Pass;

// What a value is called, and where in the source.
struct Called {
  const char* name;             // the last part of its name: "x_hat"; null if another call names it
  const char* symbol;           // "x̂"; empty: its formula
  const char* note;             // of a given value, what it is
  const char *file, *function;  // ".../src/layers/layer_norm.cpp", "forward"
};

// A value as a watcher receives it. Everything in it is valid during the call only.
struct SeenValue {
  const Pass& where;
  const Called& called;
  const Made& made;
  Shape shape;
  ConstMatrixView numbers;  // a vector is one row

  std::string full_name() const;  // "encoder.0.self_attention.heads.1.S"
};

// An observer of passes. Each function may be empty.
struct Watcher {
  // Called for each value that has a name, in the order of computation.
  std::function<void(const SeenValue&)> value;
  // Called where a part of the model begins and ends. Parts are nested.
  std::function<void(const Pass&)> begin, end;
  // Called for each value that has none yet.
  std::function<void(const SeenValue&)> unnamed = {};
  // The values wanted are those of the whole model (0), of its parts, and so on to this depth: an
  // encoder's layer is a part of the encoder and has depth 2, its sub-layers have 3. Where values
  // are watched, heads run one after another.
  int depth = std::numeric_limits<int>::max();
};

// A value's name and the pass that it is in: what a function that computes it is told.
class Name {
 public:
  Name() = default;  // nobody is told
  Name(const Pass* pass, const Called& called) : pass_(pass), called_(called) {}
  // A value that a later call names.
  Name(const Pass& pass, const char* file = __builtin_FILE(),
       const char* function = __builtin_FUNCTION())
      : pass_(&pass), called_{nullptr, "", "", file, function} {}

  bool is_watched() const;
  bool is_named() const { return called_.name != nullptr; }
  // The same pass, for a value that has no name.
  Name unnamed() const { return {pass_, {nullptr, "", "", called_.file, called_.function}}; }

  // Tells how a value was made: a tensor, a view or ids.
  template <class Value, class... Terms>
  void made(const Value& value, Operation operation, const Terms&... terms) const {
    if (is_watched()) show(value, {operation, {terms...}, {}, {}, false});
  }
  // Names a value that is given, or was made just before.
  template <class Value>
  void see(const Value& value) const {
    made(value, Operation::known);
  }
  void show(const Tensor& value, const Made& made) const;
  void show(const ConstMatrixView& value, const Made& made) const;
  void show(const std::vector<int>& ids, const Made& made) const;

 private:
  const Pass* pass_ = nullptr;
  Called called_{nullptr, "", "", "", ""};
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
        depth_(other.depth_),
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

  // Those of the whole pass, and the next place's dropout mask. Forward only.
  DropoutMasks& masks() const;
  DropoutMask next_mask(double p) const { return masks().next(p); }
  // Applies the next mask to x, as a part named "dropout".
  DropoutMask drop(double p, Tensor& x) const;
  // Backward: the same mask again.
  void drop(const DropoutMask& mask, Tensor& dx) const;

  // Whether somebody wants to see the values of this part. What is computed for watchers alone is
  // computed only then.
  bool is_watched() const {
    return watcher_ != nullptr && watcher_->value && depth_ <= watcher_->depth;
  }
  // The name of a value of this part, and its symbol, if that is another.
  Name as(const char* name, const char* symbol = nullptr, const char* note = "",
          const char* file = __builtin_FILE(), const char* function = __builtin_FUNCTION()) const {
    return {this, {name, symbol != nullptr ? symbol : name, note, file, function}};
  }
  template <class Value>
  void see(const char* name, const Value& value, const char* file = __builtin_FILE(),
           const char* function = __builtin_FUNCTION()) const {
    as(name, nullptr, "", file, function).see(value);
  }
  // A copy for the watcher of what will be overwritten; empty without one.
  Tensor before(const ConstMatrixView& x) const { return is_watched() ? copy_of(x) : Tensor(); }

  // What a Name tells, for the watcher.
  void tell(const SeenValue& seen) const;

 private:
  Pass(const Pass& outer, const char* name, Index number);
  const Pass* outer_ = nullptr;
  const char* name_ = nullptr;
  Index number_ = -1;
  const Watcher* watcher_ = nullptr;
  bool keeps_ = false, backward_ = false, is_part_ = false;
  int depth_ = 0;
  mutable DropoutMasks masks_;  // of the outermost pass: all parts draw from it
};

inline bool Name::is_watched() const {
  return pass_ != nullptr && pass_->is_watched();
}

// Ids or positions as numbers.
template <class Integer>
Tensor numbers_of(const Integer* first, Index count) {
  Tensor numbers = Tensor::uninitialised({count});
  for (Index t = 0; t < count; ++t) numbers[t] = static_cast<Real>(first[t]);
  return numbers;
}

// What tensors do, with the result's name. C += A B with a name shows A B alone.
void matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C,
            const Name& name);
void add_matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C,
                const Name& name);
void add(const Tensor& x, Tensor& y, const Name& name);
void add_column_sums(const Tensor& x, Tensor& sums, const Name& name);
void add_column_dots(const Tensor& x, const Tensor& y, Tensor& sums, const Name& name);

}  // namespace attn
