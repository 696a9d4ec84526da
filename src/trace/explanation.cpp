// S[ij] = Σ_k Q[ik] K[jk]: a row of the table, read word by word.
#include "trace/explanation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/check.h"
#include "layers/layer_norm.h"
#include "layers/softmax.h"
#include "text/lines.h"
#include "trace/names.h"
#include "trace/table.h"

namespace attn {

namespace {

constexpr const char *kAllHeads = "heads.*.", *kAllLayers = "decoder.*.";

// What a sub-layer and its norm use of the layer; "norm" is the one after the last layer.
struct Elsewhere {
  const char *operand, *sublayer, *is;
};
constexpr Elsewhere kElsewhere[] = {
    {"read", "self_attention", "previous"},  // by the sub-layer, or with pre-norm by its norm
    {"read", "cross_attention", "attended"},
    {"read", "feed_forward", "informed|attended"},
    {"read", "norm", "previous"},
    {"memory", "self_attention", "u"},  // of which keys and values are computed
    {"memory", "cross_attention", "z"},
    {"dafter", "self_attention", "dattended"},  // the gradient of what Add & Norm computes
    {"dafter", "cross_attention", "dinformed"},
    {"dafter", "feed_forward", "layer.doutput"},
    {"dafter", "norm", "dend"},
};

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

Index layer_count(const Trace& trace, const std::string& stack) {
  Index count = 0;
  while (trace.find(text(stack, '.', count, ".output")) != nullptr) ++count;
  return count;
}

// A constant, which has a text instead of a name.
ExplainedPart constant_part(const std::string& text, double value) {
  return {"", 0, 0, value, text};
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
  if (how.find(kAllLayers) != how.npos) {
    const std::string one = how;
    how.clear();
    for (Index layer = 0; layer < layer_count(trace, "decoder"); ++layer) {
      how += " + " + one;
      replace(how, kAllLayers, text("decoder.", layer, '.'));
    }
  }
  Term term;
  bool whole = true;  // an operand that is missing takes its term along, a mask only itself
  const auto end_term = [&](bool next_is_minus) {
    if (!term.factors.empty() && whole) terms_.push_back(counted(std::move(term)));
    missing_ = missing_ || !whole;
    term = {next_is_minus};
    whole = true;
  };
  for (const std::string& word : split(how + " +", ' ')) {
    if (word.empty()) continue;
    if (word == "+" || word == "−") {
      end_term(word == "−");
    } else if (std::optional<Factor> factor = factor_of(word)) {
      term.factors.push_back(std::move(*factor));
    } else {
      whole = whole && word.find("mask") != word.npos;
    }
  }
}

// As many k as the first operand with this index has rows or columns.
Explanation::Term Explanation::counted(Term term) {
  for (const Factor& factor : term.factors) {
    const std::size_t k = factor.indices.find('k');
    if (k == factor.indices.npos || factor.blocks.empty()) continue;
    if (factor.kind == Factor::one_hot && k == 1) continue;
    const Block& last = factor.blocks.back();
    term.count =
        k == 0 ? last.row + last.value->row_count() : last.column + last.value->data.cols();
    return term;
  }
  return term;
}

std::optional<Explanation::Factor> Explanation::factor_of(std::string word) const {
  Factor factor;
  const std::size_t bracket = word.find('[');
  if (bracket == word.npos) {
    factor.kind = Factor::constant;
    factor.text = word;
    return factor;
  }
  factor.indices = word.substr(bracket + 1, word.size() - bracket - 2);
  word.erase(bracket);
  if (word.rfind("ln:", 0) == 0) {
    factor.kind = Factor::logarithm;
    word.erase(0, 3);
  }
  const char last = word.back();
  if (last == '=' || last == '>' || last == '?') word.pop_back();
  if (last == '=') factor.kind = Factor::one_hot;
  if (last == '>') factor.kind = Factor::positive;
  if (word == "position") return factor;
  factor.blocks = find(word);
  if (factor.blocks.empty()) {
    ATTN_CHECK(last == '?', "the trace lacks ", word, ", from which ", value_.name, " is computed");
    return std::nullopt;
  }
  // In a head, what all heads and sentences share is more than is used.
  const TraceValue& used = *factor.blocks[0].value;
  const Index head = head_of(value_.name);
  if (head >= 0 && head_of(used.name) < 0) {
    factor.first_column = head * value_.data.cols();
    for (Index before = 0; !used.weight && before < value_.sentence; ++before) {
      factor.first_row += trace_.find(value_.name, before)->data.rows();
    }
  }
  return factor;
}

// The operands that are elsewhere in each layer.
std::string Explanation::resolved(const std::string& operand) const {
  const std::string stack = stack_of(value_.name), sublayer = sublayer_of(value_.name);
  const bool last = fits("z|h", value_.name) || sublayer == "norm";
  const Index layer = last ? layer_count(trace_, stack) : layer_of(value_.name);  // −1 of dg and de

  const std::string first = operand.substr(0, operand.find('.'));
  const std::string rest = operand.substr(first.size());
  if (first == "stack") return stack + rest;
  if (first == "layer") return text(stack, '.', layer, rest);
  if (first == "next") return text(stack, '.', layer + 1, rest);
  if (first == "dend") return stack == "encoder" ? "dz" : "dh";
  if (first == "previous") {
    return layer > 0 ? text(stack, '.', layer - 1, ".output") : stack == "encoder" ? "e" : "g";
  }
  if (first == "dnormed") {  // the gradient of γ ⊙ x̂ + β
    return trace_.settings.at("norm") == "pre" && !last ? "%.du|%.du_Q" : "dafter";
  }
  for (const auto& [its_name, its_sublayer, is] : kElsewhere) {
    if (operand == its_name && sublayer == its_sublayer) return is;
  }
  std::string result = operand;
  replace(result, "%", sublayer);
  return result;
}

std::vector<Explanation::Block> Explanation::find(const std::string& operand) const {
  std::vector<Block> blocks;
  for (const std::string& one : split(operand, '|')) {
    const std::string name = resolved(one);
    if (name != one) blocks = find(name);
    // In the value's own part, then outwards.
    for (std::string part = value_.name; name == one && blocks.empty() && !part.empty();) {
      part = part_of(part);
      const std::string full = part.empty() ? name : part + '.' + name;
      const TraceValue* found = trace_.find(full, value_.sentence);
      if (found == nullptr) found = trace_.find(full);
      if (found != nullptr) blocks.push_back({found, 0, 0});
      if (full.find(kAllHeads) == full.npos) continue;
      // All heads side by side, sentence after sentence.
      std::map<std::string, Index> rows;
      for (const TraceValue& value : trace_.values) {
        if (!fits(full.c_str(), value.name)) continue;
        Index& row = rows[value.name];
        blocks.push_back({&value, row, head_of(value.name) * value.data.cols()});
        row += value.data.rows();
      }
    }
    if (!blocks.empty()) break;
  }
  return blocks;
}

// Of a row in its sentence. A head's rows are of one.
Index Explanation::position(Index row) const {
  if (head_of(value_.name) >= 0) return row;
  const Offsets& offsets = is_of_source(value_.name) ? trace_.source : trace_.target;
  return row - *std::prev(std::upper_bound(offsets.begin(), offsets.end(), row));
}

double Explanation::setting(const char* name) const {
  return parse_number<double>(trace_.settings.at(name), "a number");
}

double Explanation::constant(const std::string& text, Index i, Index j) const {
  if (text == "√d_model") return std::sqrt(setting("d_model"));
  if (text == "1/d_model") return 1 / setting("d_model");
  if (text == "1/√d_k") return 1 / std::sqrt(setting("d_k"));
  if (text == "1/T") return 1 / static_cast<double>(trace_.find("logits")->data.rows());
  if (text == "1−ε_ls") return 1 - setting("label_smoothing");
  if (text == "ε_ls/V") {
    return setting("label_smoothing") / static_cast<double>(trace_.find("logits")->data.cols());
  }
  // Of the angle φ = pos/10000^(2m/d) for columns 2m and 2m + 1.
  const bool added = text == "PE(pos,j)";
  const Index d = static_cast<Index>(setting(added ? "d_model" : "d_k")), column = j % d;
  const double exponent = static_cast<double>(column - column % 2) / static_cast<double>(d);
  const double angle = static_cast<double>(position(i)) / std::pow(10000.0, exponent);
  if (added) return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
  const bool alone = column % 2 == 0 && column + 1 == d;
  if (text == "cos_φ") return alone ? 1 : std::cos(angle);
  ATTN_CHECK(text == "±sin_φ", "the table has an unknown constant, ", text);
  return alone ? 0 : column % 2 == 0 ? -std::sin(angle) : std::sin(angle);
}

ExplainedPart Explanation::part(const Factor& factor, Index i, Index j, Index k) const {
  if (factor.kind == Factor::constant) {
    return constant_part(factor.text, constant(factor.text, i, j));
  }
  const auto at = [&](char index) {
    if (index == 'k') return k;
    if (index == 'i') return factor.first_row + i;
    if (index == 'j') return factor.first_column + j;
    const auto d_k = static_cast<Index>(setting("d_k"));
    const Index in_head = j % d_k;  // its pair; what is alone is its own
    return factor.first_column + (in_head % 2 == 1 ? j - 1 : in_head + 1 < d_k ? j + 1 : j);
  };
  const Index row = at(factor.indices[0]);
  const Index column = factor.indices.size() > 1 ? at(factor.indices[1]) : 0;
  const auto condition = [](bool holds) { return constant_part("", holds ? 1 : 0); };
  if (factor.blocks.empty()) return condition(position(row) == column);
  // Only what is matrices side by side has several blocks.
  for (auto block = factor.blocks.rbegin(); block != factor.blocks.rend(); ++block) {
    const Tensor& x = block->value->data;
    if (row < block->row || column < block->column) continue;
    if (factor.kind == Factor::one_hot) return condition(x[row] == static_cast<Real>(column));
    const bool vector = block->value->is_vector();
    const Index r = row - block->row, c = vector ? -1 : column - block->column;
    const Real number = vector ? x[r] : x(r, c);
    if (factor.kind == Factor::positive) return condition(number > 0);
    return {block->value->name, r, c, static_cast<double>(number)};
  }
  ATTN_CHECK(false, "no block of an operand has row ", row, " and column ", column);
  return {};
}

ExplainedNumber Explanation::sum(Index i, Index j) const {
  ExplainedNumber number;
  for (const Term& term : terms_) {
    for (Index k = 0; k < term.count; ++k) {
      ExplainedTerm one{{}, term.minus ? -1.0 : 1.0};
      bool is_0 = false;  // by a condition, which comes first
      for (const Factor& factor : term.factors) {
        ExplainedPart next = part(factor, i, j, k);
        if (factor.kind == Factor::positive || factor.kind == Factor::one_hot) {
          is_0 = next.value == 0;
        } else {
          if (factor.kind == Factor::logarithm) {
            next =
                constant_part(text("ln ", next.name, '[', next.column, ']'), std::log(next.value));
          }
          one.value *= next.value;
          one.parts.push_back(std::move(next));
        }
        if (is_0) break;
      }
      if (is_0) continue;
      if (term.minus) one.parts.push_back(constant_part("−1", -1));
      // As products are computed: one chain of multiplications that add.
      Real product = 1;
      for (const ExplainedPart& factor : one.parts) {
        if (&factor != &one.parts.back()) product *= static_cast<Real>(factor.value);
      }
      number.result = std::fma(product, static_cast<Real>(one.parts.back().value), number.result);
      number.terms.push_back(std::move(one));
    }
  }
  return number;
}

// e^(x − largest) over their sum, of a row.
ExplainedNumber Explanation::softmax(Index i, Index j) const {
  ExplainedNumber number;
  double largest = -std::numeric_limits<double>::infinity(), all = 0;
  for (Index l = 0; l < value_.data.cols(); ++l) {
    number.terms.push_back(sum(i, l).terms.at(0));
    largest = std::max(largest, number.terms.back().value);
  }
  for (ExplainedTerm& term : number.terms) all += term.value = std::exp(term.value - largest);
  const double own = number.terms[static_cast<std::size_t>(j)].value;
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
  } else if (function_ == "causal" && j > i) {
    number = {{}, {{"−∞: the mask hides what comes after this token"}}};
    number.result = -std::numeric_limits<Real>::infinity();
  } else if (function_ == "max(0, ·)") {
    number.result = std::max(number.result, Real{0});
    number.lines = {{"max(0, ·) of it", static_cast<double>(number.result)}};
  } else if (function_ == "1/√") {
    const double root = std::sqrt(all + static_cast<double>(LayerNorm::kEpsilon));
    number.result = static_cast<Real>(1 / root);
    number.lines = {{"the sum: the variance", all}, {"1/√(variance + 1e-5)", 1 / root}};
  } else if (number.terms.empty()) {
    number.lines = {{"0: nothing is added up here", 0.0}};
  } else if (number.terms.size() > 1) {
    number.lines = {{text("the sum of these ", number.terms.size()), all}};
  }
  return number;
}

Tensor Explanation::numbers(const Shape& shape) const {
  Tensor result = Tensor::uninitialised(shape);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      const bool masked = function_ == "causal" && j > i;
      result(i, j) = masked ? -std::numeric_limits<Real>::infinity() : sum(i, j).result;
    }
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
      if (factor.blocks.empty() || factor.blocks[0].value->weight) continue;
      replace(result, text('%', t + 1), factor.blocks[0].value->symbol);
    }
  }
  const std::size_t begin = result.find('{'), end = result.find('}');
  if (begin != result.npos) {
    result.erase(end, 1);
    result.erase(begin, missing_ ? end - begin : 1);
  }
  return result;
}

}  // namespace attn
