// The text of operations, and blocks and rows of what they make.
#include "lab/trace/trace_value.h"

#include <algorithm>
#include <map>
#include <vector>

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

Recipe Recipe::block(Index first_row, Index first_col, Index row_count, Index col_count) const {
  Recipe result = *this;
  const bool of_single_numbers = operation == Operation::sum || operation == Operation::relu ||
                                 operation == Operation::tanh || operation == Operation::sigmoid;
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
