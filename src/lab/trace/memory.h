// Which value's numbers are these? Operands are known by where they are in memory or, if they were
// copied, by their numbers, row by row.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lab/trace/trace_value.h"

namespace attn {

class Memory {
 public:
  void add_weight(int value, const Tensor& W) { weights_.push_back({value, &W}); }
  // These numbers are now elements `at`, at + 1, … of a value. Values without a name have numbers
  // below −1.
  void add(int value, Index at, const ConstMatrixView& numbers);

  // Numbers that are nowhere are constants.
  enum class Among { all, named };
  TraceOperand find(const ConstMatrixView& x, Among which = Among::named) const;

 private:
  using Cells = std::vector<TraceCell>;
  bool find_weight(const ConstMatrixView& x, TraceOperand& operand) const;
  Cells in_place(const ConstMatrixView& row, Among which) const;
  Cells copied(const ConstMatrixView& row, Index number, Among which) const;

  struct Weight {
    int value;
    const Tensor* W;
  };
  struct Row {
    TraceCell first;
    Index number;  // in the matrix that it is a row of
  };
  std::vector<Weight> weights_;
  std::unordered_map<const Real*, TraceCell> cells_;
  std::unordered_map<std::string, std::vector<Row>> rows_;  // by their bytes
};

}  // namespace attn
