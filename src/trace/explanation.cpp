// S[ij] = Σ_k Q[ik] K[jk]: a row of the table, read word by word.
#include "trace/explanation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/check.h"
#include "layers/layer_norm.h"
#include "layers/positional_encoding.h"
#include "layers/softmax.h"
#include "text/lines.h"
#include "trace/names.h"
#include "trace/table.h"

namespace attn {

namespace {

constexpr const char* kAllHeads = "heads.*.";

ExplainedPart constant(const std::string& text, double value) {
  return {"", 0, 0, value, text};
}

bool has_prefix(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

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

// A vector is one column.
Index rows_of(const TraceValue& value) {
  return value.row_count();
}
Index columns_of(const TraceValue& value) {
  return value.is_vector() ? 1 : value.data.cols();
}

}  // namespace

Explanation::Explanation(const Trace& trace, const TraceValue& value)
    : trace_(trace), value_(value) {
  std::string how = text(value.row != nullptr ? value.row->how : "", " +");
  const std::size_t colon = how.find(": ");
  if (colon != how.npos) {
    function_ = how.substr(0, colon);
    how.erase(0, colon + 2);
  }
  std::vector<std::string> term;
  bool minus = false;
  for (const std::string& word : split(how, ' ')) {
    if (word.empty()) continue;
    if (word != "+" && word != "−") {
      term.push_back(word);
      continue;
    }
    if (!term.empty()) add_term(term, minus);
    term.clear();
    minus = word == "−";
  }
}

void Explanation::add_term(const std::vector<std::string>& words, bool minus) {
  // Of every layer of the decoder.
  const std::string all = "decoder.*.";
  if (has_prefix(words[0], all)) {
    for (Index layer = 0; layer < layer_count(trace_, "decoder"); ++layer) {
      add_term({text("decoder.", layer, '.', words[0].substr(all.size()))}, minus);
    }
    return;
  }
  Term term{minus};
  for (const std::string& word : words) {
    std::optional<Factor> factor = factor_of(word);
    if (factor) {
      term.factors.push_back(std::move(*factor));
    } else if (word.find("mask") == word.npos) {
      missing_ = true;  // and with it its term
      return;
    }
  }
  // As many k as the first operand with this index has rows or columns.
  for (const Factor& factor : term.factors) {
    const std::size_t k = factor.indices.find('k');
    if (term.count != 1 || k == factor.indices.npos || factor.blocks.empty()) continue;
    if (factor.kind == Factor::one_hot && k == 1) continue;
    const Block& last = factor.blocks.back();
    term.count = k == 0 ? last.row + rows_of(*last.value) : last.column + columns_of(*last.value);
  }
  terms_.push_back(std::move(term));
}

std::optional<Explanation::Factor> Explanation::factor_of(std::string word) const {
  Factor factor;
  const std::size_t bracket = word.find('[');
  if (bracket == word.npos) {
    factor.kind = Factor::constant;
    factor.text = word;
    factor.value = constant_of(word);
    return factor;
  }
  factor.indices = word.substr(bracket + 1, word.size() - bracket - 2);
  word.erase(bracket);
  const std::string log = "ln:";
  if (has_prefix(word, log)) {
    factor.kind = Factor::logarithm;
    word.erase(0, log.size());
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

double Explanation::constant_of(const std::string& text) const {
  const auto setting = [&](const char* name) {
    return parse_number<double>(trace_.settings.at(name), "a number");
  };
  if (text == "√d_model") return std::sqrt(setting("d_model"));
  if (text == "1/d_model") return 1 / setting("d_model");
  if (text == "1/√d_k") return 1 / std::sqrt(setting("d_k"));
  if (text == "1/T") return 1 / static_cast<double>(trace_.find("logits")->data.rows());
  if (text == "1−ε_ls") return 1 - setting("label_smoothing");
  ATTN_CHECK(text == "ε_ls/V", "the table has an unknown constant, ", text);
  return setting("label_smoothing") / static_cast<double>(trace_.find("logits")->data.cols());
}

// The operands that are elsewhere in each layer and sub-layer.
std::string Explanation::resolved(const std::string& operand) const {
  const std::string stack = stack_of(value_.name), sublayer = sublayer_of(value_.name);
  const bool encoder = stack == "encoder", last = value_.name == "z" || value_.name == "h";
  const bool final_norm = sublayer == "norm";
  const Index layer =  // −1 of dg and de
      last || final_norm ? layer_count(trace_, stack) : layer_of(value_.name);
  const std::string end = encoder ? "dz" : "dh";
  const std::string previous =
      layer > 0 ? text(stack, '.', layer - 1, ".output") : encoder ? "e" : "g";

  const std::string first = operand.substr(0, operand.find('.'));
  std::string result = operand.substr(first.size());
  if (first == "stack") {
    result = stack + result;
  } else if (first == "next") {
    result = text(stack, '.', layer + 1, result);
  } else if (first == "previous") {
    result = previous;
  } else if (first == "dend") {
    result = end;
  } else if (first == "read") {  // by the sub-layer, or with pre-norm by its norm
    result = sublayer == "cross_attention" ? "attended"
             : sublayer == "feed_forward"  ? "informed|attended"
                                           : previous;
  } else if (first == "dafter") {  // the gradient of what Add & Norm computes
    result = sublayer == "self_attention"    ? "dattended"
             : sublayer == "cross_attention" ? "dinformed"
             : final_norm                    ? end
                                             : text(stack, '.', layer, ".doutput");
  } else if (first == "dnormed") {  // of what the norm in it computes
    const bool pre = trace_.settings.at("norm") == "pre" && !final_norm;
    result = pre ? "%.du|%.du_Q" : "dafter";
  } else {
    result = operand;
  }
  replace(result, "%", sublayer);
  return result;
}

std::vector<Explanation::Block> Explanation::find(const std::string& operand) const {
  std::vector<Block> blocks;
  for (const std::string& one : split(operand, '|')) {
    const std::string name = resolved(one);
    if (name != one) {
      blocks = find(name);
      if (!blocks.empty()) return blocks;
      continue;
    }
    // In the value's own part, then outwards.
    for (std::string part = value_.name; blocks.empty() && !part.empty();) {
      part = part_of(part);
      const std::string full = part.empty() ? name : part + '.' + name;
      if (full.find(kAllHeads) == full.npos) {
        const TraceValue* found = trace_.find(full, value_.sentence);
        if (found == nullptr) found = trace_.find(full);
        if (found != nullptr) blocks.push_back({found, 0, 0});
        continue;
      }
      // All heads side by side, sentence after sentence.
      Index column = 0;
      for (Index head = 0;; ++head) {
        std::string its_name = full;
        replace(its_name, "*", std::to_string(head));
        Index row = 0;
        const TraceValue* found = nullptr;
        for (Index b = 0; (found = trace_.find(its_name, b)) != nullptr; ++b) {
          blocks.push_back({found, row, column});
          row += found->data.rows();
        }
        if (row == 0) break;
        column += trace_.find(its_name)->data.cols();
      }
    }
    if (!blocks.empty()) return blocks;
  }
  return blocks;
}

// The position of a row in its sentence.
static Index position_in(const Offsets& offsets, Index row) {
  return row - *std::prev(std::upper_bound(offsets.begin(), offsets.end(), row));
}

ExplainedPart Explanation::part(const Factor& factor, Index i, Index j, Index k) const {
  if (factor.kind == Factor::constant) return constant(factor.text, factor.value);
  const auto at = [&](char index) {
    return index == 'k' ? k : index == 'i' ? factor.first_row + i : factor.first_column + j;
  };
  const Index row = at(factor.indices[0]);
  const Index column = factor.indices.size() > 1 ? at(factor.indices[1]) : 0;
  if (factor.blocks.empty()) {
    const bool source = stack_of(value_.name) == "encoder";
    return constant("pos", static_cast<double>(
                               position_in(source ? trace_.source : trace_.target, row)));
  }
  // Only what is matrices side by side has several blocks.
  for (auto block = factor.blocks.rbegin(); block != factor.blocks.rend(); ++block) {
    const Tensor& x = block->value->data;
    if (row < block->row || column < block->column) continue;
    if (block->value->is_vector() || factor.kind == Factor::one_hot) {
      return {block->value->name, row, -1, static_cast<double>(x[row])};
    }
    const Index r = row - block->row, c = column - block->column;
    return {block->value->name, r, c, static_cast<double>(x(r, c))};
  }
  ATTN_CHECK(false, "no block of an operand has row ", row, " and column ", column);
  return {};
}

// Whether no factor of a term is 0 by its condition.
bool Explanation::holds(const Term& term, Index i, Index j, Index k) const {
  return std::all_of(term.factors.begin(), term.factors.end(), [&](const Factor& factor) {
    if (factor.kind == Factor::positive) return part(factor, i, j, k).value > 0;
    if (factor.kind != Factor::one_hot) return true;
    const Index wanted = factor.indices[1] == 'k' ? k : factor.indices[1] == 'i' ? i : j;
    return part(factor, i, j, k).value == static_cast<double>(wanted);
  });
}

ExplainedNumber Explanation::sum(Index i, Index j) const {
  ExplainedNumber number;
  for (const Term& term : terms_) {
    for (Index k = 0; k < term.count; ++k) {
      if (!holds(term, i, j, k)) continue;
      ExplainedTerm one{{}, 1};
      for (const Factor& factor : term.factors) {
        if (factor.kind == Factor::one_hot || factor.kind == Factor::positive) continue;
        one.parts.push_back(part(factor, i, j, k));
        ExplainedPart& last = one.parts.back();
        if (factor.kind == Factor::logarithm) {
          last = constant(text("ln ", last.name, '[', last.column, ']'), std::log(last.value));
        }
      }
      if (term.minus) one.parts.push_back(constant("−1", -1));
      // As products are computed: one chain of multiplications that add.
      Real product = 1;
      for (const ExplainedPart& factor : one.parts) {
        one.value *= factor.value;
        if (&factor != &one.parts.back()) product *= static_cast<Real>(factor.value);
      }
      number.result =
          std::fma(product, static_cast<Real>(one.parts.back().value), number.result);
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

// y_2m = x_2m cos φ − x_2m+1 sin φ,   y_2m+1 = x_2m+1 cos φ + x_2m sin φ;   back by −φ.
ExplainedNumber Explanation::turned(Index i, Index j) const {
  const Factor& x = terms_[0].factors[0];
  const ExplainedPart own = part(x, i, j, 0);
  const Index d_k = parse_number<Index>(trace_.settings.at("d_k"), "a whole number");
  const Index in_head = j % d_k, first = in_head - in_head % 2;
  ExplainedNumber number;
  if (first + 1 == d_k) {  // an odd one without a pair
    number.terms = {{{own}, own.value}};
    number.result = static_cast<Real>(own.value);
    return number;
  }
  const bool back = function_ == "turned back", is_first = in_head == first;
  const ExplainedPart other = part(x, i, is_first ? j + 1 : j - 1, 0);
  const double exponent = -static_cast<double>(first) / static_cast<double>(d_k);
  // In a head rows are those of its sentence; outside, those of a part of the operand.
  const Index position = head_of(value_.name) >= 0 ? i : own.row;
  const double angle = static_cast<double>(position) * std::pow(10000.0, exponent);
  const Real c = static_cast<Real>(std::cos(angle)), s = static_cast<Real>(std::sin(angle));
  const bool minus = is_first != back;
  const double sine = static_cast<double>(minus ? -s : s), cosine = static_cast<double>(c);
  number.terms = {{{own, constant("cos φ", cosine)}, own.value * cosine},
                  {{other, constant(minus ? "−sin φ" : "sin φ", sine)}, other.value * sine}};
  number.result = static_cast<Real>(own.value * cosine + other.value * sine);
  return number;
}

ExplainedNumber Explanation::number(Index row, Index column) const {
  const Index i = row, j = column < 0 ? row : column;  // a vector has one axis
  if (function_ == "softmax") return softmax(i, j);
  if (function_.rfind("turned", 0) == 0) return turned(i, j);
  if (function_ == "sinusoid") {
    std::vector<Real> encoding(static_cast<std::size_t>(value_.data.cols()));
    const Index position = position_in(stack_of(value_.name) == "encoder" ? trace_.source : trace_.target, i);
    sinusoidal_encoding(position, value_.data.cols(), encoding.data());
    ExplainedNumber number;
    number.result = encoding[static_cast<std::size_t>(j)];
    const char* function = j % 2 == 0 ? "sin" : "cos";
    number.lines = {{text(function, '(', position, "/10000^(", j - j % 2, "/d_model))"), static_cast<double>(number.result)}};
    return number;
  }
  ExplainedNumber number = sum(i, j);
  double all = 0;
  for (const ExplainedTerm& term : number.terms) all += term.value;
  const bool several = number.terms.size() > 1;
  if (!is_computed()) {
    number.lines = {{value_.weight        ? "a weight: it was learned, not computed from the sentence"
                     : value_.row == nullptr ? "the table has no formula for this value"
                                             : "it is given, not computed: " + value_.formula}};
  } else if (function_ == "causal" && j > i) {
    number = {{}, {{"−∞: the mask hides what comes after this token"}}};
    number.result = -std::numeric_limits<Real>::infinity();
  } else if (function_ == "max(0, ·)") {
    number.result = std::max(number.result, Real{0});
    number.lines = {{"max(0, ·) of it", static_cast<double>(number.result)}};
  } else if (function_ == "1/√") {
    const double result = 1 / std::sqrt(all + static_cast<double>(LayerNorm::kEpsilon));
    number.result = static_cast<Real>(result);
    number.lines = {{"the sum: the variance", all}, {"1/√(variance + 1e-5)", result}};
  } else if (several) {
    number.lines = {{text("the sum of these ", number.terms.size()), all}};
  } else if (number.terms.empty()) {
    number.lines = {{"0: nothing is added up here", 0.0}};
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

bool Explanation::uses(const TraceValue& other) const {
  for (const Term& term : terms_) {
    for (const Factor& factor : term.factors) {
      for (const Block& block : factor.blocks) {
        if (block.value == &other) return true;
      }
    }
  }
  return false;
}

std::string Explanation::formula() const {
  if (value_.row == nullptr) return "";
  std::string result = value_.row->formula;
  const auto symbol = [&](std::size_t term) {
    for (const Factor& factor : terms_.size() > term ? terms_[term].factors : std::vector<Factor>()) {
      if (!factor.blocks.empty() && factor.kind == Factor::number && !factor.blocks[0].value->weight) return factor.blocks[0].value->symbol;
    }
    return std::string();
  };
  replace(result, "%0", last_of(value_.name));
  replace(result, "%1", symbol(0));
  replace(result, "%2", symbol(1));
  const std::size_t begin = result.find('{'), end = result.find('}');
  if (begin != result.npos) {
    result.erase(end, 1);
    result.erase(begin, missing_ ? end - begin : 1);
  }
  return result;
}

}  // namespace attn
