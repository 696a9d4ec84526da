// How the numbers of a value follow from others: its row of the table, worked out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace attn {

// Element (row, column) of a value, −1 being a vector's column; or a constant, with a text.
struct ExplainedPart {
  std::string name;
  Index row = 0, column = 0;
  double value = 0;
  std::string text = {};
};
// The product of its parts, or what a function makes of it.
struct ExplainedTerm {
  std::vector<ExplainedPart> parts = {};
  double value = 1;
};
// What follows from the terms.
struct ExplainedLine {
  std::string text;
  std::optional<double> value = {};
};
struct ExplainedNumber {
  std::vector<ExplainedTerm> terms = {};
  std::vector<ExplainedLine> lines = {};
  Real result = 0;  // in the order and the precision of the layers: perhaps to the bit
};

class Explanation {
 public:
  // Both must outlive it. Throws Error if the row names an operand that the trace lacks.
  Explanation(const Trace& trace, const TraceValue& value);

  bool is_computed() const { return !terms_.empty(); }
  // The row's formula, with the symbols of the operands.
  std::string formula() const;
  // Element (row, column) of the value; the column of a vector is −1.
  ExplainedNumber number(Index row, Index column) const;
  // All numbers of a value of this shape.
  Tensor numbers(const Shape& shape) const;

 private:
  // A constant, which has no values, or an operand: several are of all heads or all layers.
  struct Factor {
    std::string word;          // "1/√d_k"
    std::string indices = {};  // "ik"; none of a constant
    char form = 0;             // '=', '>', '?', or ':' of a logarithm
    std::vector<const TraceValue*> values = {};
    Index first_column = 0;  // what j counts from
  };
  struct Term {
    std::vector<Factor> factors = {};
    Index count = 1;  // of k
    bool missing = false;
  };

  void add_factor(const std::string& word, Term& term) const;
  std::vector<const TraceValue*> found(const std::string& operand) const;
  const TraceValue* last_before(const char* patterns) const;
  double setting(const char* name) const;
  double constant(const std::string& word, Index i, Index j) const;
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
