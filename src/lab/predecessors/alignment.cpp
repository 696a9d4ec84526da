// e = score(Q, K),   α = softmax(e),   c = α V
#include "lab/predecessors/alignment.h"

#include <numeric>

#include "base/parallel.h"
#include "lab/predecessors/additive_attention.h"
#include "layers/softmax.h"

namespace attn {

Alignment::Alignment(Kind which, Index d_q, Index d_k, Index d_a) : kind(which) {
  if (kind == Kind::general) query = Linear(d_q, d_k, false);
  if (kind != Kind::additive) return;
  query = Linear(d_q, d_a, false);
  key = Linear(d_k, d_a, false);
  v = Parameter({d_a}, Parameter::Start::glorot);
}

void add_look(Look look, Looks& looks) {
  const auto end = [](const Look& other) { return other.weights + other.queries * other.keys; };
  look.weights = looks.empty() ? 0 : end(looks.back());
  looks.push_back(look);
}

Looks looks_of_sentences(const Offsets& target, const Offsets& source) {
  ATTN_CHECK_EQ(target.size(), source.size(), "sentences of target and source");
  Looks looks;
  for (std::size_t b = 0; b + 1 < target.size(); ++b) {
    add_look({target[b], target[b + 1] - target[b], source[b], source[b + 1] - source[b]}, looks);
  }
  return looks;
}

Looks looks_of_rows(const Offsets& source) {
  Offsets rows(source.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  return looks_of_sentences(rows, source);
}

Looks reordered(const Looks& looks, const std::vector<Index>& rows) {
  Looks result;
  for (const Index row : rows) {
    ATTN_CHECK(row >= 0 && row < static_cast<Index>(looks.size()), "no row ", row,
               " in the decoding state");
    const Look& look = looks[row];
    add_look({static_cast<Index>(result.size()), 1, look.key, look.keys}, result);
  }
  return result;
}

namespace {

// Runs body(number, look) on all threads or, for an observer, one after another.
template <class Body>
void for_each_look(const Looks& looks, const Pass& pass, const Body& body) {
  const auto task = [&](Index i) { body(i, looks[i]); };
  const Index count = looks.size();
  if (!pass.is_watched()) return parallel_for(count, task);
  for (Index i = 0; i < count; ++i) task(i);
}

// The rows of a matrix that a look's queries or keys are.
template <class Matrix>
auto queries_in(Matrix& x, const Look& look) {
  return rows_of(x, look.query, look.query + look.queries);
}
template <class Matrix>
auto keys_in(Matrix& x, const Look& look) {
  return rows_of(x, look.key, look.key + look.keys);
}

}  // namespace

Tensor Alignment::queries_of(const Tensor& x) const {
  return kind == Kind::dot ? x : query.forward(x);
}

Tensor Alignment::keys_of(const Tensor& memory) const {
  return kind == Kind::additive ? key.forward(memory) : memory;
}

Tensor Alignment::forward(const Tensor& Q, const AlignmentMemory& memory, const Pass& pass,
                          Tensor& P) const {
  Index weights = 0;
  for (const Look& look : memory.looks) weights += look.queries * look.keys;
  P = Tensor::uninitialised({weights});
  Tensor C = Tensor::uninitialised({Q.rows(), memory.V.cols()});
  for_each_look(memory.looks, pass, [&](Index, const Look& look) {
    // e = score(Q, K), written where α will be.
    const MatrixView S = look.in(P);
    const ConstMatrixView q = queries_in(Q, look), k = keys_in(memory.K, look);
    if (kind == Kind::additive) {
      additive_scores(q, k, v.value.data(), S);
    } else {
      matmul(q, transposed(k), S);
    }
    pass.see("q", q);
    pass.see("k", k);
    pass.see("e", S);

    // α = softmax(e), and c = α V.
    softmax(S, scale, Mask::none);
    pass.see("alpha", S);
    matmul(S, keys_in(memory.V, look), queries_in(C, look));
    pass.see("context", queries_in(C, look));
  });
  return C;
}

Tensor Alignment::backward(const Tensor& dC, const Tensor& Q, const AlignmentMemory& memory,
                           const Pass& pass, const Tensor& P, Tensor& dK, Tensor& dV) {
  Tensor dQ = Tensor::uninitialised(Q.shape());
  // Each look has a row for its part of dv, so that the sum has one order.
  Tensor dv = Tensor::zeros({static_cast<Index>(memory.looks.size()), v.value.elements()});
  for_each_look(memory.looks, pass, [&](Index number, const Look& look) {
    // c = α V gives dV += αᵀ dc and dα = dc Vᵀ.
    const ConstMatrixView alpha = look.in(P);
    const ConstMatrixView dc = queries_in(dC, look);
    matmul(transposed(alpha), dc, keys_in(dV, look), Write::add);
    Tensor dS = Tensor::uninitialised({look.queries, look.keys});
    matmul(dc, transposed(keys_in(memory.V, look)), dS);
    pass.see("dalpha", dS);

    // α = softmax(e) gives de = α ⊙ (dα − rowsum(α ⊙ dα)), and e its queries and keys.
    softmax_backward(alpha, scale, Mask::none, dS);
    pass.see("de", dS);
    const ConstMatrixView q = queries_in(Q, look), k = keys_in(memory.K, look);
    const MatrixView dq = queries_in(dQ, look), dk = keys_in(dK, look);
    if (kind == Kind::additive) {
      additive_scores_backward(dS, q, k, v.value.data(), dq, dk, dv.row(number));
    } else {
      matmul(dS, k, dq);
      matmul(transposed(dS), q, dk, Write::add);
    }
    pass.see("dq", dq);
  });
  if (kind == Kind::additive) {
    check_gradient(v);
    add_column_sums(dv, v.gradient);
  }
  return dQ;
}

Tensor Alignment::queries_backward(const Tensor& dQ, const Tensor& x) {
  return kind == Kind::dot ? dQ : query.backward(dQ, x);
}

void Alignment::keys_backward(const Tensor& dK, const Tensor& memory, Tensor& dmemory) {
  if (kind == Kind::additive) {
    key.backward_add(dK, memory, dmemory);
  } else {
    add(dK, dmemory);
  }
}

void Alignment::visit(const std::string& name, const ParameterVisitor& visitor) {
  if (kind != Kind::dot) query.visit(name + ".query", visitor);
  if (kind != Kind::additive) return;
  key.visit(name + ".key", visitor);
  visitor(name + ".v", v);
}

}  // namespace attn
