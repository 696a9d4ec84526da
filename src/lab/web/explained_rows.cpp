// Operations whose numbers depend on a whole row, or on a pair of rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "lab/web/explanation.h"
#include "layers/layer_norm.h"

namespace attn::web {

// e^(x − largest) over their sum, of one row.
void Explanation::softmax() {
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

void Explanation::softmax_backward() {
  const Part p = at(1, r_, c_);
  double row = 0;
  for (Index j = 0; j < operand(0).cols; ++j) row += at(0, r_, j).value * at(1, r_, j).value;
  const std::string P = operand(1).symbol, dP = operand(0).symbol;
  term({p, at(0, r_, c_)});
  term({p, constant(text("−rowsum(", P, " ⊙ ", dP, ')'), -row)});
}

// Of a row; or of all numbers, which are one row then.
void Explanation::mean() {
  const Index n = operand(0).cols;
  for (Index j = 0; j < n; ++j) {
    term({at(0, r_, j), constant(text("1/", n), 1 / static_cast<double>(n))});
  }
}

void Explanation::normalise() {
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
  line("1/√(variance + 1e-5)", 1 / std::sqrt(variance + static_cast<double>(LayerNorm::kEpsilon)));
}

void Explanation::normalise_backward() {
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

void Explanation::smoothed() {
  const bool right = static_cast<Index>(at(0, 0, r_).value) == c_;
  if (right) term({constant("1 − ε_ls", 1 - recipe_->factor)});
  term({constant("ε_ls/V", recipe_->factor / static_cast<double>(value_.data.cols()))});
  if (!right) say("not the token to predict");
}

void Explanation::cross_entropy() {
  for (Index v = 0; v < operand(0).cols; ++v) {
    term({at(1, r_, v), constant(text("−ln p[", v, ']'), -std::log(at(0, r_, v).value))});
  }
}

void Explanation::additive_scores() {
  for (Index a = 0; a < operand(0).cols; ++a) {
    const double q = at(0, r_, a).value, k = at(1, c_, a).value;
    term({at(2, 0, a), constant(text("tanh(q + k)[", a, ']'), std::tanh(q + k))});
  }
}

// Sums over pairs (i, j) of a query and a key: de_ij v_a (1 − t²) with t = tanh(q_ia + k_ja), or
// for v, de_ij t.
void Explanation::additive_scores_backward() {
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

}  // namespace attn::web
