// Which value is this matrix? Operands are known by their memory, or, where they were copied, by
// their numbers.
#pragma once

#include <unordered_map>
#include <vector>

#include "lab/trace/trace_value.h"
#include "model/sequence_model.h"

namespace attn {

class Finder {
 public:
  explicit Finder(SequenceModel& model);

  // Matrices to be found: numbers that are a block of a value that has a name; or what has none
  // yet, with its recipe.
  struct Known {
    const Real* memory;
    Index row_stride;
    Tensor numbers;
    std::string value;           // its name
    Index value_row, value_col;  // where the block begins
    std::string symbol;
    Recipe recipe;
    // Where it was made.
    std::string part, file, function;
    bool is_named() const { return !value.empty(); }
  };
  void add(Known known);
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
  // The rows of all that have names, by a hash of their numbers: in which of them, and where.
  struct Row {
    std::size_t known;
    Index row;
  };
  std::unordered_multimap<std::size_t, Row> rows_;
};

}  // namespace attn
