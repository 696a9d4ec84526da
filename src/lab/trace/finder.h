// Which value is this matrix? Operands are known by their memory, or, where they were copied, by
// their numbers.
#pragma once

#include <vector>

#include "lab/trace/trace_value.h"
#include "model/sequence_model.h"

namespace attn {

class Finder {
 public:
  explicit Finder(SequenceModel& model);

  // Matrices to be found: numbers that are part of a value that has a name, from one of its rows
  // on; or what has none yet, with its recipe.
  struct Known {
    const Real* memory;
    Index row_stride;
    Tensor numbers;
    std::string value;  // its name
    Index value_row;
    std::string symbol;
    Recipe recipe;
    // Where it was made.
    std::string part, file, function;
    bool is_named() const { return !value.empty(); }
  };
  void add(Known known) { all_.push_back(std::move(known)); }
  bool is_latest(const Known& known) const { return &known == &all_.back(); }

  // copies: whether numbers alone tell.
  TraceOperand find(const ConstMatrixView& x, bool copies = true) const;
  // What was made last in the memory of x, or with its numbers, and has no name; null if there is
  // none. x may be a block of it that begins at (row, col).
  const Known* unnamed(const ConstMatrixView& x, Index& row, Index& col) const;

 private:
  bool find_parameter(const ConstMatrixView& x, TraceOperand& operand) const;
  void find_rows(const ConstMatrixView& x, TraceOperand& operand) const;

  struct Weights {
    std::string name, symbol;
    const Tensor* value;
  };
  std::vector<Weights> parameters_;
  std::vector<Known> all_;
};

}  // namespace attn
