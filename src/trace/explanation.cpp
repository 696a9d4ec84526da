// S[ij] = Σ_k Q[ik] K[jk]: a row of the table, read word by word.
#include "trace/explanation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.h"
#include "layers/layer_norm.h"
#include "layers/softmax.h"
#include "text/lines.h"

namespace attn {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Kinds of operands: the last value of a kind before this one, or in its part. The stream is the
// residual path; dstream its gradient, or that of γ ⊙ x̂ + β, around a sub-layer and through it.
constexpr const char* kLastBefore[][2] = {
    {"stream", "e|g|attended|informed|encoder.*.output|decoder.*.output"},
    {"sublayer", "self_attention.output|cross_attention.output|feed_forward.output"},
    {"input", "u"},
    {"norm", "x_hat|dsum"},
    {"dstream",
     "dh|dz|dattended|dinformed|encoder.*.doutput|decoder.*.doutput|"
     "self_attention.du|cross_attention.du_Q|feed_forward.du"},
    {"daround", "dh|dz|dsum|norm.dnorm"},
    {"dthrough", "self_attention.du|cross_attention.du_Q|feed_forward.du|*_norm.dnorm"},
};

void replace(std::string& text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at != text.npos) text.replace(at, what.size(), by);
}

}  // namespace

Explanation::Explanation(const Trace& trace, const TraceValue& value)
    : trace_(trace), value_(value) {
  std::string how = value.row != nullptr ? value.row->how : "";
  const std::size_t colon = how.find(": ");
  if (colon != how.npos) {
    function_ = how.substr(0, colon);
    how.erase(0, colon + 2);
  }
  // A sign ends a term.
  Term term;
  bool minus = false;
  for (const std::string& word : split(how + " +", ' ')) {
    if (word != "+" && word != "−") {
      if (!word.empty()) add_factor(word, term);
      continue;
    }
    if (minus) term.factors.push_back({"−1"});
    if (term.missing) missing_ = true;
    if (!term.missing && !term.factors.empty()) terms_.push_back(term);
    term = {};
    minus = word == "−";
  }
}

// An operand that is missing, and may be, takes its term along; a mask only itself.
void Explanation::add_factor(const std::string& word, Term& term) const {
  Factor factor{word};
  const std::size_t bracket = word.find('[');
  if (bracket != word.npos) {
    factor.indices = word.substr(bracket + 1, word.size() - bracket - 2);
    std::string operand = word.substr(0, bracket);
    if (operand.rfind("ln:", 0) == 0) {
      factor.form = ':';
      operand.erase(0, 3);
    } else if (std::strchr("=>?", operand.back()) != nullptr) {
      factor.form = operand.back();
      operand.pop_back();
    }
    factor.values = found(operand);
    if (factor.values.empty()) {
      ATTN_CHECK(factor.form == '?', "the trace lacks ", operand, ", from which ", value_.name,
                 " is computed");
      term.missing = term.missing || !fits("mask", operand);
      return;
    }
    // There are as many k as rows or columns with this index, or layers.
    const TraceValue& first = *factor.values[0];
    const std::size_t k = factor.indices.find('k');
    if (k == 0) term.count = std::max(term.count, first.row_count());
    if (k == 1 && !first.is_vector()) term.count = std::max(term.count, first.data.cols());
    const Index head = head_of(value_.name);
    if (head_of(first.name) < 0) {
      term.count = std::max(term.count, static_cast<Index>(factor.values.size()));
      if (head >= 0) factor.first_column = head * value_.data.cols();
    }
  }
  term.factors.push_back(std::move(factor));
}

// None if it was not shown; several of all heads, or all layers.
std::vector<const TraceValue*> Explanation::found(const std::string& operand) const {
  std::vector<const TraceValue*> values;
  for (std::string name : split(operand, '|')) {
    const std::string kind = name.substr(0, name.find('.'));
    for (const auto& [its_name, patterns] : kLastBefore) {
      const TraceValue* const last = kind == its_name ? last_before(patterns) : nullptr;
      if (last == nullptr) continue;
      if (kind == name) return {last};
      name = part_of(last->name) + name.substr(kind.size());
    }
    if (name == "memory") name = is_cross(value_.name) ? "z" : "u";
    // In the value's own part, then outwards.
    for (std::string part = value_.name; values.empty() && !part.empty();) {
      part = part_of(part);
      const std::string full = part.empty() ? name : part + '.' + name;
      const TraceValue* const one = trace_.find(full);
      if (one != nullptr) return {one};
      if (name.find('*') == name.npos) continue;
      for (const TraceValue& other : trace_.values) {
        if (fits(full.c_str(), other.name)) values.push_back(&other);
      }
    }
    if (!values.empty()) break;
  }
  return values;
}

// The last value of its stack that was computed before this one and fits; null if there is none.
// The gradients of γ and β are computed where that of their norm's input is.
const TraceValue* Explanation::last_before(const char* patterns) const {
  std::string name = value_.name;
  if (fits("dgamma|dbeta", name)) {
    name = part_of(name) + (trace_.settings.at("norm") == "pre" ? ".dnorm" : ".dsum");
  }
  for (const TraceValue* value = trace_.find(name); value != trace_.values.data();) {
    --value;
    if (stack_of(value->name) == stack_of(name) && fits(patterns, value->name)) return value;
  }
  return nullptr;
}

double Explanation::setting(const char* name) const {
  return parse_number<double>(trace_.settings.at(name), "a number");
}

double Explanation::constant(const std::string& word, Index i, Index j) const {
  if (word == "−1") return -1;
  if (word == "√d_model") return std::sqrt(setting("d_model"));
  if (word == "1/d_model") return 1 / setting("d_model");
  if (word == "1/√d_k") return 1 / std::sqrt(setting("d_k"));
  if (word == "1/T") return 1 / static_cast<double>(trace_.find("logits")->data.rows());
  if (word == "1−ε_ls") return 1 - setting("label_smoothing");
  if (word == "ε_ls/V") return setting("label_smoothing") / setting("target_vocabulary");
  // Of the angle φ = pos/10000^(2m/d) for columns 2m and 2m + 1.
  const bool added = word == "PE(pos,j)";
  const Index d = static_cast<Index>(setting(added ? "d_model" : "d_k")), column = j % d;
  const double exponent = static_cast<double>(column - column % 2) / static_cast<double>(d);
  const double angle = static_cast<double>(i) / std::pow(10000.0, exponent);
  if (added) return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
  const bool alone = column % 2 == 0 && column + 1 == d;
  if (word == "cos_φ") return alone ? 1 : std::cos(angle);
  ATTN_CHECK(word == "±sin_φ", "the table has an unknown constant, ", word);
  return alone ? 0 : column % 2 == 0 ? -std::sin(angle) : std::sin(angle);
}

// A condition has neither a name nor a text; its value is 1 where it holds, else 0.
ExplainedPart Explanation::part(const Factor& factor, Index i, Index j, Index k) const {
  if (factor.values.empty()) return {"", 0, 0, constant(factor.word, i, j), factor.word};
  Index at[] = {0, 0};  // row and column
  for (std::size_t axis = 0; axis < factor.indices.size(); ++axis) {
    const char index = factor.indices[axis];
    at[axis] = index == 'i' ? i : index == 'k' ? k : factor.first_column + j;
    if (index == 'p') {  // without a pair: j itself
      const Index d_k = static_cast<Index>(setting("d_k")), in_head = j % d_k;
      at[axis] += in_head % 2 == 1 ? -1 : in_head + 1 < d_k ? 1 : 0;
    }
  }
  auto [row, column] = at;
  const TraceValue* value = factor.values[0];
  if (row >= value->row_count()) return {"", 0, 0, 0};  // of positions beyond the sentence
  if (factor.values.size() > 1) {
    const bool of_layers = head_of(value->name) < 0;
    const Index width = value->data.cols();
    value = factor.values[of_layers ? k : column / width];
    if (!of_layers) column %= width;
  }
  const Tensor& x = value->data;
  if (factor.form == '=') return {"", 0, 0, x[row] == static_cast<Real>(column) ? 1.0 : 0.0};
  const double number = static_cast<double>(value->is_vector() ? x[row] : x(row, column));
  if (factor.form == '>') return {"", 0, 0, number > 0 ? 1.0 : 0.0};
  if (factor.form != ':') return {value->name, row, value->is_vector() ? -1 : column, number};
  return {"", 0, 0, std::log(number), text("ln ", value->name, '[', column, ']')};
}

ExplainedNumber Explanation::sum(Index i, Index j) const {
  ExplainedNumber number;
  if (function_ == "causal" && j > i) {
    number.lines = {{"−∞: the mask hides what comes after this token"}};
    number.result = static_cast<Real>(-kInfinity);
    return number;
  }
  for (const Term& term : terms_) {
    for (Index k = 0; k < term.count; ++k) {
      ExplainedTerm one;
      Real product = 1, last = 1;  // multiplied and added as layers do it, in one chain
      for (const Factor& factor : term.factors) {
        ExplainedPart next = part(factor, i, j, k);
        const bool condition = next.name.empty() && next.text.empty();
        if (condition && next.value == 0) break;
        if (condition) continue;
        one.value *= next.value;
        product *= std::exchange(last, static_cast<Real>(next.value));
        one.parts.push_back(std::move(next));
      }
      if (one.parts.empty()) continue;
      number.result = std::fma(product, last, number.result);
      number.terms.push_back(std::move(one));
    }
  }
  return number;
}

// e^(x − largest) over their sum, of a row.
ExplainedNumber Explanation::softmax(Index i, Index j) const {
  ExplainedNumber number;
  double largest = -kInfinity, all = 0;
  for (Index l = 0; l < value_.data.cols(); ++l) {
    number.terms.push_back(sum(i, l).terms.at(0));
    largest = std::max(largest, number.terms.back().value);
  }
  for (ExplainedTerm& term : number.terms) all += term.value = std::exp(term.value - largest);
  const double own = number.terms[j].value;
  number.lines = {{"the largest of the row", largest},
                  {"e^(this one − largest)", own},
                  {"the sum of e^(x − largest) over the row", all},
                  {"the quotient of the two", own / all}};
  number.result = static_cast<Real>(own / all);
  return number;
}

ExplainedNumber Explanation::number(Index row, Index column) const {
  const Index i = row, j = column < 0 ? row : column;  // a vector has one axis
  if (function_ == "softmax") return softmax(i, j);
  ExplainedNumber number = sum(i, j);
  double all = 0;
  for (const ExplainedTerm& term : number.terms) all += term.value;
  if (value_.weight) {
    number.lines = {{"a weight: it was learned, not computed from the sentence"}};
  } else if (terms_.empty()) {
    number.lines = {{value_.row == nullptr ? "the table has no formula for this value"
                                           : "it is given, not computed: " + value_.formula}};
  } else if (function_ == "max(0, ·)") {
    number.result = std::max(number.result, Real{0});
    number.lines = {{"max(0, ·) of it", static_cast<double>(number.result)}};
  } else if (function_ == "1/√") {
    const double root = std::sqrt(all + static_cast<double>(LayerNorm::kEpsilon));
    number.result = static_cast<Real>(1 / root);
    number.lines = {{"the sum: the variance", all}, {"1/√(variance + 1e-5)", 1 / root}};
  } else if (number.terms.empty() && number.lines.empty()) {
    number.lines = {{"0: nothing is added up here", 0.0}};
  } else if (number.terms.size() > 1) {
    number.lines = {{text("the sum of these ", number.terms.size()), all}};
  }
  return number;
}

Tensor Explanation::numbers(const Shape& shape) const {
  Tensor result = Tensor::uninitialised(shape);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) result(i, j) = sum(i, j).result;
  }
  if (function_ == "softmax") attn::softmax(result, 1, Mask::none);
  return result;
}

std::string Explanation::formula() const {
  if (value_.row == nullptr) return "";
  std::string result = value_.row->formula;
  replace(result, "%0", last_of(value_.name));
  // The symbols of what is first in the terms, and no parameter.
  for (std::size_t t = 0; t < std::min<std::size_t>(terms_.size(), 2); ++t) {
    for (const Factor& factor : terms_[t].factors) {
      if (factor.values.empty() || factor.values[0]->weight) continue;
      replace(result, text('%', t + 1), factor.values[0]->symbol);
    }
  }
  const std::size_t optional = result.find('?');
  if (optional != result.npos) result.erase(optional, missing_ ? result.npos : 1);
  return result;
}

}  // namespace attn
