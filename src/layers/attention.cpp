// Attention(Q, K, V) = softmax(Q Kᵀ/√d_k) V    eq. (1)
#include "layers/attention.h"

#include <cmath>

namespace attn {

namespace {

// 1/√d_k. If the components of q and k are independent with mean 0 and variance 1, then q·k has
// variance d_k; divided by √d_k it has variance 1 again (footnote 4).
Real score_scale(Index d_k) {
  return static_cast<Real>(1 / std::sqrt(to_double(d_k)));
}

// P after dropout: P itself if there is none, otherwise a copy of it in `room`, because softmax's
// backward pass needs P as it was.
ConstMatrixView dropped(const ConstMatrixView& P, const DropoutMask& mask, Tensor& room) {
  if (mask.p == 0) return P;
  room = copy_of(P);
  dropout(mask, room);
  return room;  // a view of it
}

}  // namespace

void attention_forward(const ConstMatrixView& Q, const ConstMatrixView& K, const ConstMatrixView& V,
                       const AttentionOptions& options, const Pass& pass, const MatrixView& P,
                       const MatrixView& O) {
  // S = Q Kᵀ: how well does each query fit each key? The scores are written where P will be.
  const MatrixView S = P;  // the same memory
  matmul(Q, transposed(K), S);
  pass.see("S", S);

  // P = softmax(S/√d_k): each row becomes weights that add up to 1, and are 0 for masked keys.
  softmax(S, score_scale(Q.cols), options.mask);
  pass.see("P", P);

  // O = P V: each output is the weighted mean of the values.
  Tensor room;
  const ConstMatrixView P_dropped = dropped(P, options.dropout, room);
  matmul(P_dropped, V, O);
  if (options.dropout.p > 0) {
    pass.see(options.dropout, room.shape());  // as "mask"
    pass.see("P_dropped", P_dropped);
  }
  pass.see("O", O);
}

void attention_backward(const ConstMatrixView& dO, const ConstMatrixView& Q,
                        const ConstMatrixView& K, const ConstMatrixView& V,
                        const ConstMatrixView& P, const AttentionOptions& options, const Pass& pass,
                        const MatrixView& dQ, const MatrixView& dK, const MatrixView& dV) {
  pass.see("dO", dO);
  // O = P V gives dV = Pᵀ dO, with the P that forward multiplied by: after dropout, if any.
  Tensor room;
  const ConstMatrixView P_dropped = dropped(P, options.dropout, room);
  matmul(transposed(P_dropped), dO, dV);
  pass.see("dV", dV);

  // O = P V also gives dP = dO Vᵀ, to which dropout, if any, does what it did to P.
  Tensor dP = Tensor::uninitialised({P.rows, P.cols});  // [m, n]
  matmul(dO, transposed(V), dP);
  dropout(options.dropout, dP);
  pass.see("dP", dP);

  // P = softmax(S/√d_k) gives dS = P ⊙ (dP − rowsum(P ⊙ dP))/√d_k, written over dP.
  Tensor& dS = dP;
  softmax_backward(P, score_scale(Q.cols), options.mask, dS);
  pass.see("dS", dS);

  // S = Q Kᵀ gives dQ = dS K and dK = dSᵀ Q.
  matmul(dS, K, dQ);
  matmul(transposed(dS), Q, dK);
  pass.see("dQ", dQ);
  pass.see("dK", dK);
}

}  // namespace attn
