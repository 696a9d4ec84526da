// The steps of fused operations, which nothing in memory shows, are values too: they are computed
// again, and put before the value that they lead to.
#include <limits>
#include <utility>

#include "layers/softmax.h"
#include "trace/recorder.h"

namespace attn {

// A step between the operands and the value, in the same part.
TraceOperand Recorder::step(const SeenValue& seen, const char* name, const Tensor& numbers,
                            Recipe recipe, const char* note) {
  const Called called{name, name, note, seen.called.file, seen.called.function};
  put(seen, called, value_of(seen), std::move(recipe), numbers, numbers.shape());
  return memory_.find(numbers);
}

// P = softmax(A) of A = S/√d_k;   dA, then dS = dA/√d_k
Recipe Recorder::steps_of_softmax(const SeenValue& seen, Recipe recipe) {
  if (recipe.factor_symbol.empty()) return recipe;
  const bool backward = seen.made.operation == Operation::softmax_backward;
  Tensor A = copy_of(seen.made.terms[0].a);
  if (backward) {
    softmax_backward(seen.made.terms[1].a, 1, Mask::none, A);
  } else {
    for (Index i = 0; i < A.rows(); ++i) {
      const Index legal =
          recipe.legal.empty() ? A.cols() : recipe.legal[static_cast<std::size_t>(i)];
      for (Index j = 0; j < A.cols(); ++j) {
        A(i, j) = j < legal ? A(i, j) * static_cast<Real>(recipe.factor)
                            : -std::numeric_limits<Real>::infinity();
      }
    }
  }
  // One is the function without its factor, the other the factor alone.
  Recipe function = recipe, factor = recipe;
  function.factor = 1;
  function.factor_symbol.clear();
  factor.operation = Operation::sum;
  factor.terms.resize(1);
  Recipe& first = backward ? function : factor;
  Recipe& second = backward ? factor : function;
  if (backward) factor.legal.clear();
  second.terms[0].a = step(seen, backward ? "dA" : "A", A, first);
  second.legal.clear();
  return second;
}

// p = softmax(logits), y, q;   then L_t = −Σ_v q_v ln p_v, or dlogits = (p − q)/T
Recipe Recorder::steps_of_cross_entropy(const SeenValue& seen, const Recipe& recipe) {
  Recipe result = recipe;
  if (seen.made.operation == Operation::cross_entropy_backward) {
    const TraceValue &p = *find("p"), &q = *find("q");
    const Index rows = seen.numbers.rows, end = p.data.rows();
    const auto latest = [&](const TraceValue& value) {
      return memory_.find(rows_of(value.data, end - rows, end));
    };
    result.operation = Operation::sum;
    result.terms = {{Term::Kind::matrix, latest(p)}, {Term::Kind::matrix, latest(q), {}, -1}};
    return result;
  }
  const ConstMatrixView logits = seen.made.terms[0].a, ids = seen.made.terms[1].a;
  const double epsilon = recipe.factor;
  Tensor p = copy_of(logits), q = copy_of(logits);
  softmax(p, 1, Mask::none);
  q.fill(static_cast<Real>(epsilon / static_cast<double>(q.cols())));
  for (Index t = 0; t < q.rows(); ++t) {
    q(t, static_cast<Index>(ids(0, t))) += static_cast<Real>(1 - epsilon);
  }
  Recipe of_p, of_q;
  of_p.operation = Operation::softmax;
  of_p.terms = {recipe.terms[0]};
  result.terms[0].a = step(seen, "p", p, of_p);
  Tensor y = copy_of(ids).reshaped({ids.cols});
  of_q.operation = Operation::smoothed;
  of_q.factor = epsilon;
  of_q.terms = {{Term::Kind::matrix, step(seen, "y", y, {}, "the tokens to predict")}};
  result.terms[1].a = step(seen, "q", q, of_q);
  return result;
}

}  // namespace attn
