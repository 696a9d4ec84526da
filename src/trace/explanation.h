// How the numbers of a value follow from others: its row of the table, worked out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace attn {

// Element (row, column) of a value, the column of a vector being −1; or a constant, which has a
// text instead of a name.
struct ExplainedPart {
  std::string name;
  Index row = 0, column = 0;
  double value = 0;
  std::string text = {};
};
// The product of its parts, or what a function makes of it.
struct ExplainedTerm {
  std::vector<ExplainedPart> parts;
  double value = 0;
};
// What follows from the terms, one line after another.
struct ExplainedLine {
  std::string text;
  std::optional<double> value = {};
};
struct ExplainedNumber {
  std::vector<ExplainedTerm> terms;
  std::vector<ExplainedLine> lines;
  Real result = 0;  // in the order and the precision of the layers: perhaps to the bit
};

class Explanation {
 public:
  // Both must outlive it. Throws Error if the row names an operand that the trace lacks.
  Explanation(const Trace& trace, const TraceValue& value);

  // Whether the value is computed from others.
  bool is_computed() const { return !terms_.empty(); }
  // The row's formula, with the symbols of the operands.
  std::string formula() const;
  // Element (row, column) of the value; the column of a vector is −1.
  ExplainedNumber number(Index row, Index column) const;
  // All numbers of a value of this shape.
  Tensor numbers(const Shape& shape) const;

 private:
  // Where a value is in an operand.
  struct Block {
    const TraceValue* value;
    Index row, column;
  };
  struct Factor {
    enum Kind { element, logarithm, constant, one_hot, positive };
    Kind kind = element;
    std::string text;                       // of a constant: "1/√d_k"
    std::vector<Block> blocks = {};         // none of a constant, or of the rows' positions
    std::string indices = {};               // "ik"
    Index first_row = 0, first_column = 0;  // what i and j count from
  };
  struct Term {
    bool minus = false;
    std::vector<Factor> factors = {};
    Index count = 1;  // of k
  };

  static Term counted(Term term);
  std::optional<Factor> factor_of(std::string word) const;
  std::vector<Block> find(const std::string& operand) const;
  std::string resolved(const std::string& operand) const;

  double setting(const char* name) const;
  double constant(const std::string& text, Index i, Index j) const;
  Index position(Index row) const;
  ExplainedPart part(const Factor& factor, Index i, Index j, Index k) const;
  ExplainedNumber sum(Index i, Index j) const;
  ExplainedNumber softmax(Index i, Index j) const;

  const Trace& trace_;
  const TraceValue& value_;
  std::string function_;  // "softmax"
  std::vector<Term> terms_;
  bool missing_ = false;  // an operand that makes a difference to the formula
};

}  // namespace attn
