// value = operation(Σ terms): the recipe of a value, worked out for one of its numbers.
#include "lab/web/explanation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "lab/trace/trace_text.h"
#include "layers/layer_norm.h"

namespace attn::web {

namespace {

struct Part {
  std::string name;  // empty: a constant
  Index row = 0, column = 0;
  double value = 0;
  std::string text = {};  // of a constant
};

struct Sum {
  std::vector<Part> parts;
  double value = 0;
};

Part constant(const std::string& text, double value) {
  return {"", 0, 0, value, text};
}

class Explainer {
 public:
  Explainer(const std::vector<TraceValue>& all, const TraceValue& value, Index row, Index column)
      : all_(all), value_(value), row_(row), c_(column) {}

  const std::vector<Sum>& terms() const { return terms_; }
  const Json& lines() const { return lines_; }

  void explain() {
    if (value_.weight) return say("a weight: it was learned, not computed from the sentence");
    for (const Recipe& recipe : value_.recipes) {
      if (row_ >= recipe.row && row_ < recipe.row + recipe.rows) explain_by(recipe);
    }
    if (terms_.size() > 1 && lines_.items().empty()) {
      line(text("the sum of these ", terms_.size()), sum());
    }
  }

 private:
  void explain_by(const Recipe& recipe) {
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

  const TraceOperand& operand(std::size_t i) const { return recipe_->terms[i].a; }
  Part at(std::size_t i, Index row, Index column) const { return at(operand(i), row, column); }

  // Element (row, column) of an operand, as an element of the value that it is a part of.
  Part at(const TraceOperand& x, Index row, Index column) const {
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

  void term(std::vector<Part> parts, double value) { terms_.push_back({std::move(parts), value}); }
  void term(std::vector<Part> parts) {
    double product = 1;
    for (const Part& part : parts) product *= part.value;
    term(std::move(parts), product);
  }

  double sum() const {
    double sum = 0;
    for (const Sum& one : terms_) sum += one.value;
    return sum;
  }

  void line(const std::string& text, double value) {
    lines_.add(Json::object({{"text", text}, {"value", value}}));
  }
  void say(const std::string& text) { lines_.add(Json::object({{"text", text}})); }

  void add_term(const Recipe::Step& one) {
    const auto put = [&](std::vector<Part> parts) {
      const double factor = recipe_->factor * one.sign;
      if (factor != 1)
        parts.push_back(constant(recipe_->factor_symbol.empty()     ? "−1"
                                 : recipe_->factor_symbol[0] == '/' ? '1' + recipe_->factor_symbol
                                                                    : recipe_->factor_symbol,
                                 factor));
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

  void add_terms() {
    const bool masked =
        !recipe_->legal.empty() && by_column_ >= recipe_->legal[static_cast<std::size_t>(r_)];
    if (masked) return say("−∞: the mask hides what comes after this token");
    for (const Recipe::Step& one : recipe_->terms) add_term(one);
  }

  void function(const char* name, double (*of)(double)) {
    add_terms();
    const double inside = sum();
    if (terms_.size() > 1) line(text("the sum of these ", terms_.size()), inside);
    line(text(name, " of it"), of(inside));
  }

  // e^(x − largest) over their sum, of one row.
  void softmax() {
    double largest = -std::numeric_limits<double>::infinity();
    const Index n = operand(0).cols;
    for (Index j = 0; j < n; ++j) largest = std::max(largest, at(0, r_, j).value);
    for (Index j = 0; j < n; ++j) {
      const Part x = at(0, r_, j);
      term({x}, std::exp(x.value - largest));
    }
    const double own = terms_[static_cast<std::size_t>(c_)].value;
    line("the largest of the row", largest);
    line("e^(this one − largest)", own);
    line("the sum of e^(x − largest) over the row", sum());
    line("the quotient of the two", own / sum());
  }

  void softmax_backward() {
    const Part p = at(1, r_, c_);
    double row = 0;
    for (Index j = 0; j < operand(0).cols; ++j) row += at(0, r_, j).value * at(1, r_, j).value;
    const std::string P = operand(1).symbol, dP = operand(0).symbol;
    term({p, at(0, r_, c_)});
    term({p, constant(text("−rowsum(", P, " ⊙ ", dP, ')'), -row)});
  }

  // Times the factor of a lookup, if it has one.
  void scaled(const Part& part) {
    const Part factor = constant(recipe_->factor_symbol, recipe_->factor);
    term(recipe_->factor != 1 ? std::vector{factor, part} : std::vector{part});
  }

  void lookup() { scaled(at(1, static_cast<Index>(at(0, 0, r_).value), c_)); }

  void lookup_backward() {
    for (Index t = 0; t < operand(0).rows; ++t) {
      if (static_cast<Index>(at(1, 0, t).value) == r_) scaled(at(0, t, c_));
    }
    if (terms_.empty()) say("nothing in the sentence looked up this row");
  }

  // Of a row; or of all numbers, which are one row then.
  void mean() {
    const Index n = operand(0).cols;
    for (Index j = 0; j < n; ++j) {
      term({at(0, r_, j), constant(text("1/", n), 1 / static_cast<double>(n))});
    }
  }

  void normalise() {
    const Part mean = at(1, 0, r_);
    const auto centred = [&](Index j) {
      const Part x = at(0, r_, j);
      return constant(text(operand(0).symbol, '[', j, "] − μ"), x.value - mean.value);
    };
    if (recipe_->operation == Operation::normalise) return term({centred(c_), at(2, 0, r_)});
    const Index n = operand(0).cols;
    for (Index j = 0; j < n; ++j) term({centred(j), centred(j)});
    const double variance = sum() / static_cast<double>(n);
    line(text("divided by ", n, ": the variance"), variance);
    line("1/√(variance + 1e-5)",
         1 / std::sqrt(variance + static_cast<double>(LayerNorm::kEpsilon)));
  }

  void normalise_backward() {
    const Index n = operand(0).cols;
    double mean = 0, mean_product = 0;
    for (Index j = 0; j < n; ++j) {
      const double g = at(0, r_, j).value / static_cast<double>(n);
      mean += g;
      mean_product += g * at(1, r_, j).value;
    }
    const Part inverse = at(2, 0, r_);
    term({at(0, r_, c_), inverse});
    term({constant("−mean(dx̂)", -mean), inverse});
    term({at(1, r_, c_), constant("−mean(dx̂ ⊙ x̂)", -mean_product), inverse});
  }

  void smoothed() {
    const bool right = static_cast<Index>(at(0, 0, r_).value) == c_;
    if (right) term({constant("1 − ε_ls", 1 - recipe_->factor)});
    term({constant("ε_ls/V", recipe_->factor / static_cast<double>(value_.data.cols()))});
    if (!right) say("not the token to predict");
  }

  void cross_entropy() {
    for (Index v = 0; v < operand(0).cols; ++v) {
      term({at(1, r_, v), constant(text("−ln p[", v, ']'), -std::log(at(0, r_, v).value))});
    }
  }

  void additive_scores() {
    for (Index a = 0; a < operand(0).cols; ++a) {
      const double q = at(0, r_, a).value, k = at(1, c_, a).value;
      term({at(2, 0, a), constant(text("tanh(q + k)[", a, ']'), std::tanh(q + k))});
    }
  }

  // A gradient, or a product of elements, times the slope of a function.
  void through(double slope, const std::string& text) {
    std::vector<Part> parts{at(0, r_, by_column_)};
    const Recipe::Step& gradient = recipe_->terms[0];
    if (gradient.kind == Term::Kind::elements) parts.push_back(at(gradient.b, r_, by_column_));
    parts.push_back(constant(text, slope));
    term(std::move(parts));
  }

  // One of the matrices side by side.
  void join() {
    Index column = c_;
    for (const Recipe::Step& part : recipe_->terms) {
      if (column < part.a.cols) return term({at(part.a, r_, column)});
      column -= part.a.cols;
    }
  }

  // Sums over pairs (i, j) of a query and a key: de_ij v_a (1 − t²) with t = tanh(q_ia + k_ja), or
  // for v, de_ij t.
  void additive_scores_backward() {
    const TraceOperand &de = operand(0), &q = operand(1), &k = operand(2);
    const bool of_q = recipe_->operation == Operation::additive_scores_dq;
    const bool of_k = recipe_->operation == Operation::additive_scores_dk;
    for (Index i = of_q ? r_ : 0; i < (of_q ? r_ + 1 : de.rows); ++i) {
      for (Index j = of_k ? r_ : 0; j < (of_k ? r_ + 1 : de.cols); ++j) {
        const double t = std::tanh(at(q, i, c_).value + at(k, j, c_).value);
        if (of_q || of_k) {
          term({at(de, i, j), at(3, 0, c_), constant("1 − tanh²(q + k)", 1 - t * t)});
        } else {
          term({at(de, i, j), constant("tanh(q + k)", t)});
        }
      }
    }
  }

  const std::vector<TraceValue>& all_;
  const TraceValue& value_;
  const Index row_, c_;
  // The recipe at hand, and the row in what it makes. A vector's only axis is called the row;
  // operands of a single row are all columns.
  const Recipe* recipe_ = nullptr;
  Index r_ = 0, by_column_ = 0;
  std::vector<Sum> terms_;
  Json lines_ = Json::array();
};

Json part_json(const Part& part) {
  Json json = Json::object({{"name", part.name},
                            {"row", part.row},
                            {"column", part.column},
                            {"value", number_json(static_cast<Real>(part.value))}});
  if (part.name.empty()) json.add("text", part.text);
  return json;
}

}  // namespace

void add_explanation(const PlayModel& play, std::size_t at, Index row, Index column, Json& answer) {
  const TraceValue& value = play.traced[at];
  Explainer explainer(play.traced, value, row, column);
  explainer.explain();
  Json terms = Json::array();
  for (const Sum& term : explainer.terms()) {
    Json parts = Json::array();
    for (const Part& part : term.parts) parts.add(part_json(part));
    terms.add(Json::object({{"parts", parts}, {"value", term.value}}));
  }
  const Real result = column < 0 ? value.data[row] : value.data(row, column);
  answer.add("name", value.name);
  answer.add("row", row);
  answer.add("column", column);
  answer.add("formula", value.formula);
  answer.add("terms", terms);
  answer.add("lines", explainer.lines());
  answer.add("result", number_json(result));
}

}  // namespace attn::web
