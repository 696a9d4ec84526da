// x[row : row + rows, col : col + cols], and the text of operations.
#include "lab/trace/recipe.h"

#include <algorithm>

#include "base/format.h"
#include "text/lines.h"

namespace attn {

TraceOperand block_of(const TraceOperand& x, Index row, Index col, Index rows, Index cols) {
  // One row stands for all rows.
  if (x.rows == 1) row = 0, rows = 1;
  if (row == 0 && col == 0 && rows == x.rows && cols == x.cols) return x;
  TraceOperand result = x;
  result.rows = rows;
  result.cols = cols;
  result.blocks.clear();
  for (const TraceOperand::Block& whole : x.blocks) {
    TraceOperand::Block part = whole;
    part.row = std::max(whole.row, row);
    part.col = std::max(whole.col, col);
    part.rows = std::min(whole.row + whole.rows, row + rows) - part.row;
    part.cols = std::min(whole.col + whole.cols, col + cols) - part.col;
    if (part.rows <= 0 || part.cols <= 0) continue;
    const Index down = part.row - whole.row, right = part.col - whole.col;
    part.value_row += whole.transposed ? right : down;
    part.value_col += whole.transposed ? down : right;
    part.row -= row;
    part.col -= col;
    result.blocks.push_back(part);
  }
  if (!x.numbers.empty()) {
    result.numbers = copy_of(block(x.numbers, row, row + rows, col, cols));
  }
  // One head's columns of a matrix of all heads.
  if (cols < x.cols && !x.symbol.empty() && x.symbol.find("_i") == x.symbol.npos) {
    result.symbol += "_i";
  }
  return result;
}

Recipe block_of(const Recipe& recipe, Index row, Index col, Index rows, Index cols) {
  Recipe result = recipe;
  for (Recipe::Step& term : result.terms) {
    if (term.kind == Term::Kind::product) {
      term.a = block_of(term.a, row, 0, rows, term.a.cols);
      term.b = block_of(term.b, 0, col, term.b.rows, cols);
    } else if (term.kind != Term::Kind::column_sums) {
      term.a = block_of(term.a, row, col, rows, cols);
      if (term.b.cols > 0) term.b = block_of(term.b, row, col, rows, cols);
    }
  }
  return result;
}

namespace {

void append_below(TraceOperand& x, const TraceOperand& more) {
  // Ids and losses are vectors, which are one row.
  const bool vector = x.rows == 1 && more.rows == 1;
  for (TraceOperand::Block part : more.blocks) {
    (vector ? part.col : part.row) += vector ? x.cols : x.rows;
    x.blocks.push_back(part);
  }
  (vector ? x.cols : x.rows) += vector ? more.cols : more.rows;
}

}  // namespace

void append_rows(Recipe& recipe, const Recipe& more) {
  recipe.legal.insert(recipe.legal.end(), more.legal.begin(), more.legal.end());
  for (std::size_t i = 0; i < recipe.terms.size(); ++i) {
    Recipe::Step& term = recipe.terms[i];
    append_below(term.a, more.terms[i].a);
    if (term.kind == Term::Kind::elements) append_below(term.b, more.terms[i].b);
  }
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

}  // namespace

std::string formula_of(const Recipe& recipe) {
  std::vector<std::string> of;
  for (const Recipe::Step& term : recipe.terms) of.push_back(symbol_of(term.a));
  of.resize(3);
  switch (recipe.operation) {
    case Operation::sum: {
      const std::string text = scaled(recipe, sum_text(recipe));
      return recipe.legal.empty() ? text : text + ", −∞ behind the mask";
    }
    case Operation::relu:
      return "max(0, " + sum_text(recipe) + ")";
    case Operation::sigmoid:
      return "σ(" + sum_text(recipe) + ")";
    case Operation::tanh:
      return "tanh(" + sum_text(recipe) + ")";
    case Operation::softmax:
      return "softmax(" + of[0] + ")";
    case Operation::lookup:
      return recipe.factor_symbol + of[1] + '[' + of[0] + ']';
    case Operation::relu_backward:
      return of[0] + " where " + of[1] + " > 0, else 0";
    case Operation::sigmoid_backward:
      return of[0] + " ⊙ " + of[1] + " ⊙ (1 − " + of[1] + ')';
    case Operation::tanh_backward:
      return of[0] + " ⊙ (1 − " + of[1] + "²)";
    case Operation::softmax_backward:
      return text(of[1], " ⊙ (", of[0], " − rowsum(", of[1], " ⊙ ", of[0], "))");
    case Operation::lookup_backward:
      return recipe.factor_symbol + "Σ " + of[0];
    case Operation::mean:
      return "mean of " + of[0];
    case Operation::inverse_deviation:
      return "1/√(variance + 1e-5)";
    case Operation::normalise:
      return text('(', of[0], " − ", of[1], ")/σ");
    case Operation::normalise_backward:
      return text('(', of[0], " − mean(", of[0], ") − ", of[1], " mean(", of[0], " ⊙ ", of[1],
                  "))/σ");
    case Operation::smoothed:
      return "(1 − ε_ls) onehot(" + of[0] + ") + ε_ls/V";
    case Operation::cross_entropy:
      return text("−Σ_v ", of[1], "_v ln ", of[0], "_v");
    case Operation::additive_scores:
      return text(of[2], "ᵀ tanh(", of[0], " + ", of[1], ')');
    default:
      return "";
  }
}

}  // namespace attn
