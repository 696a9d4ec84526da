// Attention(Q, K, V) = softmax(Q Kᵀ/√d_k) V    eq. (1)
#include "layers/attention.h"

#include <cmath>
#include <limits>

namespace attn {

namespace {

// 1/√d_k. If the components of q and k are independent with mean 0 and variance 1, then q·k has
// variance d_k; divided by √d_k it has variance 1 again (footnote 4).
Real score_scale(Index d_k) {
  return static_cast<Real>(1 / std::sqrt(static_cast<double>(d_k)));
}

// P with dropout: a copy, because the backward pass of softmax needs P as it was.
Tensor dropped(const ConstMatrixView& P, const AttentionOptions& options) {
  Tensor result = copy_of(P);
  dropout(options.dropout, options.first, result.elements(), result.data());
  return result;
}

// For a watcher: S/√d_k as softmax sees it, −∞ where a key is illegal.
Tensor masked(const ConstMatrixView& S, Real scale, Mask mask) {
  Tensor A = Tensor::uninitialised({S.rows, S.cols});
  for (Index i = 0; i < S.rows; ++i) {
    const Index legal = legal_keys(mask, i, S.rows, S.cols);
    for (Index j = 0; j < S.cols; ++j) {
      A(i, j) = j < legal ? S(i, j) * scale : -std::numeric_limits<Real>::infinity();
    }
  }
  return A;
}

const char* scaled_formula(Mask mask) {
  return mask == Mask::none ? "A = S/√d_k" : "A = S/√d_k, −∞ behind the mask";
}

}  // namespace

void attention_forward(const ConstMatrixView& Q, const ConstMatrixView& K, const ConstMatrixView& V,
                       const AttentionOptions& options, const Pass& pass, const MatrixView& P,
                       const MatrixView& O) {
  // S = Q Kᵀ: how well does each query fit each key? The scores are written where P will be.
  const MatrixView& S = P;
  matmul(Q, transposed(K), S);
  pass.see("S", "S = Q Kᵀ", S);

  // P = softmax(S/√d_k): each row becomes weights that are positive and add up to 1.
  const Real scale = score_scale(Q.cols);
  pass.see("A", scaled_formula(options.mask), [&] { return masked(S, scale, options.mask); });
  softmax(S, scale, options.mask);
  pass.see("P", "P = softmax(A)", P);

  // O = P V: each output is the weighted mean of the values.
  if (options.dropout.p == 0) {
    matmul(P, V, O);
  } else {
    matmul(dropped(P, options), V, O);
  }
  pass.see("O", "O = P V", O);
}

void attention_backward(const ConstMatrixView& dO, const ConstMatrixView& Q,
                        const ConstMatrixView& K, const ConstMatrixView& V,
                        const ConstMatrixView& P, const AttentionOptions& options, const Pass& pass,
                        const MatrixView& dQ, const MatrixView& dK, const MatrixView& dV) {
  // O = P V gives dV = Pᵀ dO, with the P that forward multiplied by.
  if (options.dropout.p == 0) {
    matmul(transposed(P), dO, dV);
  } else {
    matmul(transposed(dropped(P, options)), dO, dV);
  }
  pass.see("dV", "dV = Pᵀ dO", dV);

  // O = P V gives dP = dO Vᵀ too; where dropout hid a weight, it hides its gradient.
  Tensor dP = Tensor::uninitialised({P.rows, P.cols});  // [m, n]
  matmul(dO, transposed(V), dP);
  dropout(options.dropout, options.first, dP.elements(), dP.data());
  pass.see("dP", "dP = dO Vᵀ", dP);

  // P = softmax(S/√d_k) gives dS = P ⊙ (dP − rowsum(P ⊙ dP))/√d_k, written over dP.
  Tensor& dS = dP;
  pass.see("dA", "dA = P ⊙ (dP − rowsum(P ⊙ dP))", [&] {
    Tensor dA = dP;
    softmax_backward(P, 1, options.mask, dA);
    return dA;
  });
  softmax_backward(P, score_scale(Q.cols), options.mask, dS);
  pass.see("dS", "dS = dA/√d_k", dS);

  // S = Q Kᵀ gives dQ = dS K and dK = dSᵀ Q.
  matmul(dS, K, dQ);
  pass.see("dQ", "dQ = dS K", dQ);
  matmul(transposed(dS), Q, dK);
  pass.see("dK", "dK = dSᵀ Q", dK);
}

}  // namespace attn
