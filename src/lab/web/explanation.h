// How one number of a trace comes about: the recipe of its value, worked out for it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "storage/json.h"
#include "trace/trace_value.h"

namespace attn::web {

// A number of a value; or a constant, which has no name but a text.
struct Part {
  std::string name;
  Index row = 0, column = 0;
  double value = 0;
  std::string text = {};
};
// The product of its parts.
struct ExplainedTerm {
  std::vector<Part> parts;
  double value = 0;
};

inline Part constant(const std::string& text, double value) {
  return {"", 0, 0, value, text};
}

class Explanation {
 public:
  // Of element (row, column) of a value; the column of a vector is −1. `all`: what it is made of.
  Explanation(const std::vector<TraceValue>& all, const TraceValue& value, Index row, Index column);

  const std::vector<ExplainedTerm>& terms() const { return terms_; }
  // [{"text", "value"}]: what follows from the terms, down to the result.
  const Json& lines() const { return lines_; }

 private:
  void explain_by(const Recipe& recipe);

  const TraceOperand& operand(std::size_t i) const { return recipe_->terms[i].a; }
  Part at(std::size_t i, Index row, Index column) const { return at(operand(i), row, column); }
  // Element (row, column) of an operand, as an element of the value that it is a part of.
  Part at(const TraceOperand& x, Index row, Index column) const;

  void term(std::vector<Part> parts, double value) { terms_.push_back({std::move(parts), value}); }
  void term(std::vector<Part> parts);
  double sum() const;
  void line(const std::string& text, double value);
  void say(const std::string& text) { lines_.add(Json::object({{"text", text}})); }

  // The operations, in explanation.cpp
  void add_term(const Recipe::Step& one);
  void add_terms();
  void function(const char* name, double (*of)(double));
  void scaled(const Part& part);
  void lookup();
  void lookup_backward();
  void through(double slope, const std::string& text);
  void join();
  // and, those of whole rows, in explained_rows.cpp.
  void softmax();
  void softmax_backward();
  void mean();
  void normalise();
  void normalise_backward();
  void smoothed();
  void cross_entropy();
  void additive_scores();
  void additive_scores_backward();

  const std::vector<TraceValue>& all_;
  const TraceValue& value_;
  const Index row_, c_;
  // The recipe at hand, and the row in what it makes. A vector's only axis is called the row;
  // operands of a single row are all columns.
  const Recipe* recipe_ = nullptr;
  Index r_ = 0, by_column_ = 0;
  std::vector<ExplainedTerm> terms_;
  Json lines_ = Json::array();
};

}  // namespace attn::web
