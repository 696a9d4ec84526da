// x[row : row + rows, col : col + cols], and the text of operations.
#include "lab/trace/recipe.h"

#include <algorithm>
#include <utility>

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

bool same_blocks(const TraceOperand& x, const TraceOperand& y) {
  if (x.blocks.size() != y.blocks.size() || !x.numbers.empty() || !y.numbers.empty()) return false;
  for (std::size_t i = 0; i < x.blocks.size(); ++i) {
    const TraceOperand::Block &a = x.blocks[i], &b = y.blocks[i];
    if (a.value != b.value || a.value_row != b.value_row || a.value_col != b.value_col)
      return false;
  }
  return true;
}

// Rows of zeros, where a term has none.
TraceOperand zeros_like(const TraceOperand& x, Index rows) {
  TraceOperand zeros;
  zeros.rows = rows;
  zeros.cols = x.cols;
  zeros.numbers = Tensor::zeros({rows, x.cols});
  return zeros;
}

// Step t reads what the same part wrote in the step before it; on the way back, after it.
void mark_step(TraceOperand& x, const TraceOperand::Block& block, const std::string& symbol,
               const std::string& name) {
  const std::size_t dot = name.rfind('.'), other = block.value.rfind('.');
  const bool same_part = dot != name.npos && name.substr(0, dot) == block.value.substr(0, other);
  if (!same_part || block.value_row + 1 != block.row || x.symbol.find("_(t") != x.symbol.npos) {
    return;
  }
  x.symbol = symbol + (symbol[0] == 'd' ? "_(t+1)" : "_(t−1)");
}

void append_below(TraceOperand& x, const TraceOperand& more, bool vector, const std::string& name) {
  // What is the same for all rows.
  if (!vector && same_blocks(x, more)) return;
  if (x.symbol.empty()) x.symbol = more.symbol;
  if (!x.numbers.empty() || !more.numbers.empty()) {
    Tensor numbers = Tensor::zeros({x.rows + more.rows, x.cols});
    std::copy_n(x.numbers.data(), x.numbers.elements(), numbers.data());
    std::copy_n(more.numbers.data(), more.numbers.elements(), numbers.row(x.rows));
    x.numbers = std::move(numbers);
  }
  for (TraceOperand::Block part : more.blocks) {
    (vector ? part.col : part.row) += vector ? x.cols : x.rows;
    mark_step(x, part, more.symbol, name);
    x.blocks.push_back(part);
  }
  (vector ? x.cols : x.rows) += vector ? more.cols : more.rows;
}

void append_below(Recipe::Step& term, const Recipe::Step& more, bool vector,
                  const std::string& name) {
  append_below(term.a, more.a, vector, name);
  if (term.kind == Term::Kind::elements) append_below(term.b, more.b, false, name);
}

// Whether it is the same term of a sum, in another row.
bool same_term(const Recipe::Step& x, const Recipe::Step& y) {
  const auto base = [](const std::string& symbol) { return symbol.substr(0, symbol.find("_(t")); };
  const bool same_a = x.a.symbol.empty() || y.a.symbol.empty() ||
                      base(x.a.symbol) == base(y.a.symbol) || x.kind == Term::Kind::product;
  return x.kind == y.kind && x.sign == y.sign && same_a &&
         (x.b.symbol.empty() || y.b.symbol.empty() || base(x.b.symbol) == base(y.b.symbol));
}

}  // namespace

void append_rows(Recipe& recipe, const Recipe& more, Index rows, Index more_rows,
                 const std::string& name) {
  recipe.legal.insert(recipe.legal.end(), more.legal.begin(), more.legal.end());
  const bool is_sum = recipe.operation == Operation::sum || recipe.operation == Operation::tanh ||
                      recipe.operation == Operation::sigmoid;
  if (!is_sum) {
    const bool ids = recipe.operation == Operation::smoothed;
    for (std::size_t i = 0; i < recipe.terms.size() && i < more.terms.size(); ++i) {
      append_below(recipe.terms[i], more.terms[i], ids, name);
    }
    return;
  }
  // Not every row has every term: there is no state before the first.
  std::vector<bool> used(more.terms.size());
  for (Recipe::Step& term : recipe.terms) {
    std::size_t i = 0;
    while (i < used.size() && (used[i] || !same_term(term, more.terms[i]))) ++i;
    if (i < used.size()) {
      used[i] = true;
      append_below(term, more.terms[i], false, name);
    } else {
      Recipe::Step none = term;
      none.a = zeros_like(term.a, more_rows);
      if (term.kind == Term::Kind::elements) none.b = zeros_like(term.b, more_rows);
      append_below(term, none, false, name);
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    Recipe::Step term = more.terms[i];
    term.a = zeros_like(term.a, rows);
    if (term.kind == Term::Kind::elements) term.b = zeros_like(term.b, rows);
    append_below(term, more.terms[i], false, name);
    recipe.terms.push_back(std::move(term));
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
  for (const Recipe::Step& term : recipe.terms) of.push_back(term_text(term));
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
    case Operation::join: {
      std::string all;
      for (const Recipe::Step& term : recipe.terms) {
        all += (all.empty() ? "" : "; ") + symbol_of(term.a);
      }
      return '[' + all + ']';
    }
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
    case Operation::additive_scores_dq:
      return text("Σ_j ", of[0], " ⊙ v ⊙ (1 − tanh²(", of[1], " + ", of[2], "))");
    case Operation::additive_scores_dk:
      return text("Σ_i ", of[0], " ⊙ v ⊙ (1 − tanh²(", of[1], " + ", of[2], "))");
    case Operation::additive_scores_dv:
      return text("Σ_ij ", of[0], " tanh(", of[1], " + ", of[2], ")");
    default:
      return "";
  }
}

}  // namespace attn
