#include "lab/web/explanation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "lab/trace/trace_text.h"
#include "lab/web/explainer.h"

namespace attn::web {

const TraceValue* Explainer::find(const std::string& name) const {
  for (const TraceValue& value : all_) {
    if (value.name == name) return &value;
  }
  return nullptr;
}

const TraceValue& Explainer::named(const std::string& name) const {
  const TraceValue* value = find(name);
  ATTN_CHECK(value != nullptr, "the trace lacks ", name);
  return *value;
}

const TraceValue& Explainer::symbol(const std::string& symbol, std::size_t before) const {
  for (std::size_t i = before; i-- > 0;) {
    if (!all_[i].weight && all_[i].formula.substr(0, all_[i].formula.find(' ')) == symbol) {
      return all_[i];
    }
  }
  fail("the trace lacks ", symbol);
}

const TraceValue& Explainer::operand_of(const TraceValue& other, std::size_t i) const {
  return symbol(split(other.formula, ' ').at(i), static_cast<std::size_t>(&other - all_.data()));
}

Part Explainer::at(const TraceValue& value, Index row, Index column) const {
  const bool vector = value.data.shape().rank == 1;
  const double number = static_cast<double>(vector ? value.data[row] : value.data(row, column));
  return {value.name, row, vector ? -1 : column, number, ""};
}

void Explainer::term(std::vector<Part> parts) {
  double product = 1;
  for (const Part& part : parts) product *= part.value;
  term(std::move(parts), product);
}

double Explainer::sum() const {
  double sum = 0;
  for (const Term& one : terms_) sum += one.value;
  return sum;
}

void Explainer::bias(const std::string& name, Index column) {
  if (const TraceValue* b = find(name)) term({at(*b, column)});
}

void Explainer::product(const TraceValue& a, Index row, const TraceValue& b, Index column) {
  for (Index k = 0; k < a.data.cols(); ++k) term({at(a, row, k), at(b, k, column)});
}
void Explainer::product_bt(const TraceValue& a, Index row, const TraceValue& b, Index b_row) {
  for (Index k = 0; k < a.data.cols(); ++k) term({at(a, row, k), at(b, b_row, k)});
}
void Explainer::product_at(const TraceValue& a, Index a_column, const TraceValue& b, Index column) {
  for (Index t = 0; t < a.data.rows(); ++t) term({at(a, t, a_column), at(b, t, column)});
}
void Explainer::column_sum(const TraceValue& a, Index column) {
  for (Index t = 0; t < a.data.rows(); ++t) term({at(a, t, column)});
}

// e^(x − largest) over their sum, of one row.
void Explainer::softmax(const TraceValue& scores) {
  double largest = -std::numeric_limits<double>::infinity();
  const Index n = scores.data.cols();
  for (Index j = 0; j < n; ++j) {
    largest = std::max(largest, static_cast<double>(scores.data(r_, j)));
  }
  for (Index j = 0; j < n; ++j) {
    const Part x = at(scores, r_, j);
    term({x}, std::exp(x.value - largest));
  }
  const double own = terms_[static_cast<std::size_t>(c_)].value;
  line("the largest of the row", largest);
  line("e^(this one − largest)", own);
  line("the sum of e^(x − largest) over the row", sum());
  line("the quotient of the two", own / sum());
}

void Explainer::explain() {
  if (value_.weight) return say("a weight: it was learned, not computed from the sentence");
  const bool known = forward_outside() || forward_attention() || forward_layer() ||
                     backward_outside() || backward_attention() || parameter_gradient() ||
                     backward_layer();
  if (!known) return say("several steps at once; the function that is named computes it");
  if (terms_.size() > 1 && lines_.items().empty()) {
    line(text("the sum of these ", terms_.size()), sum());
  }
}

static Json part_json(const Part& part) {
  Json json = Json::object({{"name", part.name},
                            {"row", part.row},
                            {"column", part.column},
                            {"value", number_json(static_cast<Real>(part.value))}});
  if (part.name.empty()) json.add("text", part.text);
  return json;
}

void add_explanation(const PlayModel& play, std::size_t at, Index row, Index column, Json& answer) {
  Explainer explainer(play, at, row, column);
  explainer.explain();
  Json terms = Json::array();
  for (const Term& term : explainer.terms()) {
    Json parts = Json::array();
    for (const Part& part : term.parts) parts.add(part_json(part));
    terms.add(Json::object({{"parts", parts}, {"value", term.value}}));
  }
  const TraceValue& value = play.traced[at];
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
