// Which value's numbers are these? Operands are known by where they are in memory or, if they were
// copied, by their numbers, row by row.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "trace/trace_value.h"

namespace attn {

// What has been made and has no name yet.
struct Unnamed {
  Recipe recipe;
  Index cols;
  std::string part, file, function;  // where it was made
};

class Memory {
 public:
  void add_weight(int value, const Tensor& W) { weights_.push_back({value, &W}); }
  // These numbers are now elements `at`, at + 1, … of a value.
  void add(int value, Index at, const ConstMatrixView& numbers);
  void add_unnamed(Unnamed made, const ConstMatrixView& numbers);

  // Numbers that are nowhere are constants.
  enum class Among { all, named };
  TraceOperand find(const ConstMatrixView& x, Among which = Among::named) const;
  // What has no name and x is a block of, and how that block was made; null if there is none.
  const Unnamed* whole_of(const ConstMatrixView& x, Recipe& block) const;
  bool is_latest(const Unnamed& made) const { return &made == &unnamed_.back(); }

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
  std::vector<Unnamed> unnamed_;  // cells know number i as −2 − i
  std::unordered_map<const Real*, TraceCell> cells_;
  std::unordered_map<std::string, std::vector<Row>> rows_;  // by their bytes
};

}  // namespace attn
