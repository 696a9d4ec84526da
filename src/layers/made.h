// How a value was made: an operation, and the matrices that it was computed from. Layers say so
// where they compute. A watcher of the pass derives formulas from it, and the inputs of any number.
#pragma once

#include <vector>

#include "tensor/matrix_view.h"

namespace attn {

// What is done with the sum of the terms, or with the operands that are named here.
enum class Operation {
  known,  // nothing: the value is given, or was made before it is named
  sum,
  relu,  // of each number: max(0, ·), σ, tanh
  sigmoid,
  tanh,
  softmax,  // of each row; what is masked is 0
  lookup,   // ids, E: row t is row ids_t of E
  // Gradients through these: that of the value, and the value; of a lookup that of the value, ids.
  relu_backward,
  sigmoid_backward,
  tanh_backward,
  softmax_backward,
  lookup_backward,
  // Rows of mean 0 and variance 1, step by step.
  mean,                    // x; without operands, of all numbers of the value before
  inverse_deviation,       // x, μ
  normalise,               // x, μ, 1/σ
  normalise_backward,      // dx̂, x̂, 1/σ
  smoothed,                // ids of the right columns: q; the factor is ε
  cross_entropy,           // logits, ids of the right columns; the factor is ε
  cross_entropy_backward,  // the same
  additive_scores,         // q, k, v: e_ij = Σ_a v_a tanh(q_ia + k_ja)
  additive_scores_dq,      // de, q, k, v
  additive_scores_dk,
  additive_scores_dv,
  join,  // matrices side by side; without operands, of those that were made in its memory
};

// One of the terms of a sum. A matrix [1, n] stands for all rows.
struct Term {
  enum class Kind { matrix, product, elements, column_sums };
  Kind kind = Kind::matrix;
  ConstMatrixView a, b;
  int sign = 1;

  Term(Kind what, const ConstMatrixView& first, const ConstMatrixView& second,
       int plus_or_minus = 1)
      : kind(what), a(first), b(second), sign(plus_or_minus) {}
  Term(const ConstMatrixView& x) : a(x) {}
  Term(const MatrixView& x) : a(x) {}
  Term(const Tensor& x) : a(x) {}
};
// A B,   a ⊙ b,   and the row Σ_t a_t ⊙ b_t, or Σ_t a_t without b.
inline Term times(const ConstMatrixView& A, const ConstMatrixView& B) {
  return {Term::Kind::product, A, B};
}
inline Term elements(const ConstMatrixView& a, const ConstMatrixView& b, int sign = 1) {
  return {Term::Kind::elements, a, b, sign};
}
inline Term column_sums(const ConstMatrixView& a, const ConstMatrixView& b = {}) {
  return {Term::Kind::column_sums, a, b};
}

// A number that something is multiplied by, and what the paper calls it: {0.5, "/√d_k"}.
struct Factor {
  double value = 1;
  const char* symbol = "";

  Factor() = default;
  Factor(double number, const char* called = "") : value(number), symbol(called) {}
  operator Real() const { return static_cast<Real>(value); }
};

struct Made {
  Operation operation = Operation::known;
  std::vector<Term> terms;
  Factor factor;             // of every term; ε of a cross-entropy
  std::vector<Index> legal;  // of a masked softmax: the columns of each row that count
  bool is_part = false;      // of a sum, to which later calls add
};

}  // namespace attn
