// The symbols of operands, the text of operations, and blocks and rows of what they make.
#include "trace/trace_value.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/check.h"
#include "text/lines.h"

namespace attn {

TraceCell TraceOperand::at(Index row, Index col) const {
  if (rows == 1) row = 0;
  if (col_step == 0) return cells[static_cast<std::size_t>(row * cols + col)];
  TraceCell cell = cells[0];
  cell.at += row * row_step + col * col_step;
  return cell;
}

TraceOperand TraceOperand::block(Index row, Index col, Index row_count, Index col_count) const {
  TraceOperand result = *this;
  result.rows = std::min(rows, row_count);
  result.cols = col_count;
  if (col_step != 0) {
    result.cells = {at(row, col)};
    return result;
  }
  result.cells.clear();
  for (Index i = 0; i < result.rows; ++i) {
    for (Index j = 0; j < col_count; ++j) result.cells.push_back(at(row + i, col + j));
  }
  return result;
}

bool Recipe::is_sum() const {
  return operation == Operation::sum || operation == Operation::tanh ||
         operation == Operation::sigmoid;
}

Recipe Recipe::block(Index first_row, Index first_col, Index row_count, Index col_count) const {
  Recipe result = *this;
  const bool of_single_numbers = is_sum() || operation == Operation::relu;
  if (!of_single_numbers) return result;
  for (Step& term : result.terms) {
    if (term.kind == Term::Kind::product) {
      term.a = term.a.block(first_row, 0, row_count, term.a.cols);
      term.b = term.b.block(0, first_col, term.b.rows, col_count);
    } else if (term.kind != Term::Kind::column_sums) {
      for (TraceOperand* x : {&term.a, &term.b}) {
        if (x->cols > 0) *x = x->block(first_row, first_col, row_count, col_count);
      }
    }
  }
  return result;
}

void append(const Tensor& more, Tensor& x) {
  const Shape shape = x.shape().rank == 1 ? Shape{x.elements() + more.elements()}
                                          : Shape{x.rows() + more.rows(), x.cols()};
  Tensor both = Tensor::uninitialised(shape);
  std::copy_n(x.data(), x.elements(), both.data());
  std::copy_n(more.data(), more.elements(), both.data() + x.elements());
  x = std::move(both);
}

std::string gradient_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "d" + name : name.substr(0, dot + 1) + "d" + name.substr(dot + 1);
}

namespace {

std::string part_of(const std::string& name) {
  return name.substr(0, std::min(name.rfind('.'), name.size()));
}

// Where an operand's numbers come from.
struct Origin {
  const TraceValue* first = nullptr;  // the value that the first of them is of; null: constants
  std::string symbol;                 // of the value, or what the symbols of several begin with
  Index shift = 0;                    // by how many rows it is later than what it is used for
};

// by_rows: each row is used for the row of that number.
Origin origin_of(const std::vector<TraceValue>& values, const TraceOperand& x, const Recipe& recipe,
                 bool by_rows) {
  Origin origin;
  bool shifted = by_rows && (x.rows > 1 || recipe.rows == 1);
  for (std::size_t i = 0; i < x.cells.size(); ++i) {
    const TraceCell& cell = x.cells[i];
    if (cell.is_constant()) continue;
    const TraceValue& from = values[static_cast<std::size_t>(cell.value)];
    const Index row = static_cast<Index>(i) / x.cols;
    const Index shift = cell.at / from.data.cols() - row - recipe.row;
    if (origin.first == nullptr) origin = {&from, from.symbol, shift};
    shifted = shifted && shift == origin.shift && !from.is_vector() && !from.weight;
    // "da" of da_i, da_f, da_o and da_g
    const std::string& symbol = origin.first->symbol;
    if (from.symbol != symbol) origin.symbol = symbol.substr(0, symbol.find('_'));
  }
  if (!shifted) origin.shift = 0;
  return origin;
}

void name_operand(const std::vector<TraceValue>& values, const TraceValue& value,
                  const Recipe& recipe, bool by_rows, TraceOperand& x) {
  const Origin origin = origin_of(values, x, recipe, by_rows);
  if (origin.first == nullptr) {
    x.symbol = recipe.operation == Operation::lookup ? "pos" : x.cells.empty() ? "" : "0";
    return;
  }
  const TraceValue& first = *origin.first;
  const bool same_part = part_of(first.name) == part_of(value.name);
  x.symbol = origin.symbol;
  if (x.symbol == value.symbol && first.name != value.name && !first.weight) {
    x.symbol = same_part ? split(first.name, '.').back() : first.name;
  }
  // One head's columns; or a block that is known by what is made of it: f = σ(a_f).
  if ((x.transposed ? x.rows : x.cols) < first.data.cols() && first.symbol == x.symbol) {
    const bool in_head = value.name.find(".heads.") != std::string::npos;
    x.symbol += '_' + (in_head ? "i" : value.symbol.substr(value.symbol.rfind('_') + 1));
  }
  // Of a neighbour; what is made step by step is made from the last on the way back.
  if (origin.shift == 0) return;
  const bool by_steps = x.rows == 1;
  if (by_steps && (origin.shift != -1 || first.backward != value.backward || !same_part)) return;
  const bool later = by_steps ? value.backward : origin.shift > 0;
  x.symbol += text(later ? "_(t+" : "_(t−", std::abs(origin.shift), ')');
}

// What is transposed: "Qᵀ".
std::string symbol_of(const TraceOperand& x) {
  return x.symbol + (x.transposed ? "ᵀ" : "");
}

std::string term_text(const Recipe::Step& term) {
  const std::string a = symbol_of(term.a), b = symbol_of(term.b);
  switch (term.kind) {
    case Term::Kind::product:
      return a + ' ' + b;
    case Term::Kind::elements:
      return a + " ⊙ " + b;
    case Term::Kind::column_sums:
      return "Σ_t " + a + "_t" + (b.empty() ? "" : " ⊙ " + b + "_t");
    default:
      return a;
  }
}

// "x + f". The same from every layer is written once, after a Σ.
std::string sum_text(const Recipe& recipe) {
  std::vector<std::string> texts;
  bool repeated = false;
  for (const Recipe::Step& term : recipe.terms) {
    const std::string one = (term.sign < 0 ? "−" : "+") + term_text(term);
    const bool again = std::find(texts.begin(), texts.end(), one) != texts.end();
    repeated = repeated || again;
    if (!again) texts.push_back(one);
  }
  std::string result;
  for (const std::string& one : texts) {
    const std::size_t sign = one[0] == '+' ? 1 : std::string("−").size();
    if (!result.empty()) result += ' ' + one.substr(0, sign) + ' ';
    result += result.empty() && sign == 1 ? one.substr(1) : result.empty() ? one : one.substr(sign);
  }
  if (!repeated) return result;
  return texts.size() == 1 ? "Σ " + result : "Σ (" + result + ")";
}

// In parentheses where more than one term is multiplied.
std::string scaled(const Recipe& recipe, const std::string& text) {
  const std::string& factor = recipe.factor_symbol;
  if (factor.empty()) return text;
  const std::string whole = recipe.terms.size() > 1 ? '(' + text + ')' : text;
  return factor[0] == '/' ? whole + factor : factor + whole;
}

// What operations do with operands 0, 1 and 2; + is the sum of all, * the factor.
const std::map<Operation, const char*> kFormulas{
    {Operation::relu, "max(0, %+)"},
    {Operation::sigmoid, "σ(%+)"},
    {Operation::tanh, "tanh(%+)"},
    {Operation::softmax, "softmax(%0)"},
    {Operation::lookup, "%*%1[%0]"},
    {Operation::relu_backward, "%0 where %1 > 0, else 0"},
    {Operation::sigmoid_backward, "%0 ⊙ %1 ⊙ (1 − %1)"},
    {Operation::tanh_backward, "%0 ⊙ (1 − %1²)"},
    {Operation::softmax_backward, "%1 ⊙ (%0 − rowsum(%1 ⊙ %0))"},
    {Operation::lookup_backward, "%*Σ %0"},
    {Operation::mean, "mean of %0"},
    {Operation::inverse_deviation, "1/√(variance + 1e-5)"},
    {Operation::normalise, "(%0 − %1)/σ"},
    {Operation::normalise_backward, "(%0 − mean(%0) − %1 mean(%0 ⊙ %1))/σ"},
    {Operation::smoothed, "(1 − ε_ls) onehot(%0) + ε_ls/V"},
    {Operation::cross_entropy, "−Σ_v %1_v ln %0_v"},
    {Operation::additive_scores, "%2ᵀ tanh(%0 + %1)"},
    {Operation::additive_scores_dq, "Σ_j %0 ⊙ v ⊙ (1 − tanh²(%1 + %2))"},
    {Operation::additive_scores_dk, "Σ_i %0 ⊙ v ⊙ (1 − tanh²(%1 + %2))"},
    {Operation::additive_scores_dv, "Σ_ij %0 tanh(%1 + %2)"},
};

}  // namespace

void name_operands(const std::vector<TraceValue>& values, const TraceValue& value, Recipe& recipe) {
  for (Recipe::Step& term : recipe.terms) {
    const bool by_rows = term.kind != Term::Kind::column_sums &&
                         (recipe.is_sum() || recipe.operation == Operation::join);
    name_operand(values, value, recipe, by_rows, term.a);
    name_operand(values, value, recipe, by_rows && term.kind == Term::Kind::elements, term.b);
  }
}

std::string formula_of(const Recipe& recipe) {
  if (recipe.operation == Operation::sum) {
    const std::string text = scaled(recipe, sum_text(recipe));
    return recipe.legal.empty() ? text : text + ", −∞ behind the mask";
  }
  if (recipe.operation == Operation::join) {
    std::string all;
    for (const Recipe::Step& term : recipe.terms) {
      all += (all.empty() ? "" : "; ") + symbol_of(term.a);
    }
    return '[' + all + ']';
  }
  const auto formula = kFormulas.find(recipe.operation);
  std::string result;
  for (const char* c = formula == kFormulas.end() ? "" : formula->second; *c != '\0'; ++c) {
    if (*c != '%') {
      result += *c;
    } else if (*++c == '+') {
      result += sum_text(recipe);
    } else if (*c == '*') {
      result += recipe.factor_symbol;
    } else {
      result += term_text(recipe.terms.at(static_cast<std::size_t>(*c - '0')));
    }
  }
  return result;
}

}  // namespace attn
