// value = operation(Σ terms): the recipe of a value, worked out for one of its numbers.
#include "lab/web/explanation.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace attn::web {

Explanation::Explanation(const std::vector<TraceValue>& all, const TraceValue& value, Index row,
                         Index column)
    : all_(all), value_(value), row_(row), c_(column) {
  if (value_.weight) say("a weight: it was learned, not computed from the sentence");
  for (const Recipe& recipe : value_.recipes) {
    if (row_ >= recipe.row && row_ < recipe.row + recipe.rows) explain_by(recipe);
  }
  if (terms_.size() > 1 && lines_.items().empty()) {
    line(text("the sum of these ", terms_.size()), sum());
  }
}

void Explanation::explain_by(const Recipe& recipe) {
  recipe_ = &recipe;
  r_ = row_ - recipe.row;
  by_column_ = c_ < 0 ? r_ : c_;
  const std::string y = recipe_->terms.size() > 1 ? operand(1).symbol : "";
  switch (recipe_->operation) {
    case Operation::known:
      return say("it is given, not computed: " + value_.formula);
    case Operation::sum:
      return add_terms();
    case Operation::relu:
      return function("max(0, ·)", [](double x) { return std::max(x, 0.0); });
    case Operation::sigmoid:
      return function("σ", [](double x) { return 1 / (1 + std::exp(-x)); });
    case Operation::tanh:
      return function("tanh", [](double x) { return std::tanh(x); });
    case Operation::softmax:
      return softmax();
    case Operation::softmax_backward:
      return softmax_backward();
    case Operation::lookup:
      return lookup();
    case Operation::lookup_backward:
      return lookup_backward();
    case Operation::relu_backward: {
      const bool passes = at(1, r_, c_).value > 0;
      if (passes) term({at(0, r_, c_)});
      return say(passes ? y + " is above 0: the gradient passes" : y + " is 0: nothing passes");
    }
    case Operation::sigmoid_backward: {
      const double gate = at(1, r_, by_column_).value;
      return through(gate * (1 - gate), text(y, " (1 − ", y, ')'));
    }
    case Operation::tanh_backward: {
      const double output = at(1, r_, by_column_).value;
      return through(1 - output * output, text("1 − ", y, "²"));
    }
    case Operation::mean:
      return mean();
    case Operation::inverse_deviation:
    case Operation::normalise:
      return normalise();
    case Operation::normalise_backward:
      return normalise_backward();
    case Operation::smoothed:
      return smoothed();
    case Operation::cross_entropy:
      return cross_entropy();
    case Operation::cross_entropy_backward:
      break;  // a difference, in a trace
    case Operation::additive_scores:
      return additive_scores();
    case Operation::additive_scores_dq:
    case Operation::additive_scores_dk:
    case Operation::additive_scores_dv:
      return additive_scores_backward();
    case Operation::join:
      return join();
  }
}

// Element (row, column) of an operand, as an element of the value that it is a part of.
Part Explanation::at(const TraceOperand& x, Index row, Index column) const {
  const TraceCell cell = x.at(row, column);
  if (cell.value < 0) return constant(x.symbol, static_cast<double>(cell.number));
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const TraceValue& one) { return one.id == cell.value; });
  ATTN_CHECK(found != all_.end(), "the trace lacks a value that ", value_.name, " is made of");
  const Index width = found->data.cols();
  const auto number = static_cast<double>(found->data[cell.at]);
  if (found->is_vector()) return {found->name, cell.at, -1, number};
  return {found->name, cell.at / width, cell.at % width, number};
}

void Explanation::term(std::vector<Part> parts) {
  double product = 1;
  for (const Part& part : parts) product *= part.value;
  term(std::move(parts), product);
}

double Explanation::sum() const {
  double sum = 0;
  for (const ExplainedTerm& one : terms_) sum += one.value;
  return sum;
}

void Explanation::line(const std::string& text, double value) {
  lines_.add(Json::object({{"text", text}, {"value", value}}));
}

void Explanation::add_term(const Recipe::Step& one) {
  const auto put = [&](std::vector<Part> parts) {
    const double factor = recipe_->factor * one.sign;
    if (factor != 1) {
      const std::string& symbol = recipe_->factor_symbol;
      const std::string size = symbol.empty() || symbol[0] == '/' ? '1' + symbol : symbol;
      parts.push_back(constant((one.sign < 0 ? "−" : "") + size, factor));
    }
    term(std::move(parts));
  };
  switch (one.kind) {
    case Term::Kind::product:
      for (Index k = 0; k < one.a.cols; ++k) put({at(one.a, r_, k), at(one.b, k, by_column_)});
      break;
    case Term::Kind::elements:
      put({at(one.a, r_, by_column_), at(one.b, r_, by_column_)});
      break;
    case Term::Kind::column_sums:
      for (Index t = 0; t < one.a.rows; ++t) {
        std::vector<Part> parts{at(one.a, t, by_column_)};
        if (one.b.cols > 0) parts.push_back(at(one.b, t, by_column_));
        put(std::move(parts));
      }
      break;
    default:
      put({at(one.a, r_, by_column_)});
  }
}

void Explanation::add_terms() {
  const bool masked =
      !recipe_->legal.empty() && by_column_ >= recipe_->legal[static_cast<std::size_t>(r_)];
  if (masked) return say("−∞: the mask hides what comes after this token");
  for (const Recipe::Step& one : recipe_->terms) add_term(one);
}

void Explanation::function(const char* name, double (*of)(double)) {
  add_terms();
  const double inside = sum();
  if (terms_.size() > 1) line(text("the sum of these ", terms_.size()), inside);
  line(text(name, " of it"), of(inside));
}

// Times the factor of a lookup, if it has one.
void Explanation::scaled(const Part& part) {
  const Part factor = constant(recipe_->factor_symbol, recipe_->factor);
  term(recipe_->factor != 1 ? std::vector{factor, part} : std::vector{part});
}

void Explanation::lookup() {
  scaled(at(1, static_cast<Index>(at(0, 0, r_).value), c_));
}

void Explanation::lookup_backward() {
  for (Index t = 0; t < operand(0).rows; ++t) {
    if (static_cast<Index>(at(1, 0, t).value) == r_) scaled(at(0, t, c_));
  }
  if (terms_.empty()) say("nothing in the sentence looked up this row");
}

// A gradient, or a product of elements, times the slope of a function.
void Explanation::through(double slope, const std::string& text) {
  std::vector<Part> parts{at(0, r_, by_column_)};
  const Recipe::Step& gradient = recipe_->terms[0];
  if (gradient.kind == Term::Kind::elements) parts.push_back(at(gradient.b, r_, by_column_));
  parts.push_back(constant(text, slope));
  term(std::move(parts));
}

// One of the matrices side by side.
void Explanation::join() {
  Index column = c_;
  for (const Recipe::Step& part : recipe_->terms) {
    if (column < part.a.cols) return term({at(part.a, r_, column)});
    column -= part.a.cols;
  }
}

}  // namespace attn::web
