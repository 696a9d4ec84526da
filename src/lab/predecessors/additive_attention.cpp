// S_ij = Σ_c v_c t_c,  t = tanh(Q_i + K_j)
// dt = dS_ij v,        d(Q_i + K_j) = dt ⊙ (1 − t²),  summed over j for dQ_i and over i for dK_j
#include "lab/predecessors/additive_attention.h"

#include <algorithm>

#include "lab/predecessors/cells.h"

namespace attn {

namespace {

// T_j = tanh(Q_i + K_j) for one query and all keys: [n, d_a].
void tanh_of_sums(const Real* q, const ConstMatrixView& K, Tensor& T) {
  for (Index j = 0; j < K.rows; ++j) {
    const Real* const k = K.data + j * K.row_stride;
    Real* const t = T.row(j);
    for (Index c = 0; c < K.cols; ++c) t[c] = q[c] + k[c];
  }
  hyperbolic_tangent(T.elements(), T.data());
}

// a · b in an order that is the same everywhere, and that the compiler can vectorize.
Real row_dot(Index n, const Real* a, const Real* b) {
  constexpr Index kPartial = 16;
  Real partial[kPartial] = {};
  for (Index c = 0; c < n; c += kPartial) {
    for (Index l = 0; l < std::min(kPartial, n - c); ++l) partial[l] += a[c + l] * b[c + l];
  }
  for (Index half = kPartial / 2; half > 0; half /= 2) {
    for (Index l = 0; l < half; ++l) partial[l] += partial[l + half];
  }
  return partial[0];
}

void check_widths(const ConstMatrixView& Q, const ConstMatrixView& K, Index m, Index n) {
  ATTN_CHECK(Q.cols == K.cols && Q.rows == m && K.rows == n, "queries [", Q.rows, ", ", Q.cols,
             "] and keys [", K.rows, ", ", K.cols, "] do not fit scores [", m, ", ", n, "]");
}

}  // namespace

void additive_scores(const ConstMatrixView& Q, const ConstMatrixView& K, const Real* v,
                     const MatrixView& S) {
  check_widths(Q, K, S.rows, S.cols);
  Tensor T = Tensor::uninitialised({K.rows, K.cols});
  for (Index i = 0; i < Q.rows; ++i) {
    tanh_of_sums(Q.data + i * Q.row_stride, K, T);
    for (Index j = 0; j < K.rows; ++j) S(i, j) = row_dot(K.cols, v, T.row(j));
  }
}

void additive_scores_backward(const ConstMatrixView& dS, const ConstMatrixView& Q,
                              const ConstMatrixView& K, const Real* v, const MatrixView& dQ,
                              const MatrixView& dK, Real* dv) {
  check_widths(Q, K, dS.rows, dS.cols);
  // The hidden layer of all pairs would be the largest tensor of all, so it is computed again.
  Tensor T = Tensor::uninitialised({K.rows, K.cols});
  for (Index i = 0; i < Q.rows; ++i) {
    tanh_of_sums(Q.data + i * Q.row_stride, K, T);
    Real* const dq = dQ.row(i);
    std::fill(dq, dq + Q.cols, Real{0});
    for (Index j = 0; j < K.rows; ++j) {
      const Real ds = dS(i, j);
      const Real* const t = T.row(j);
      Real* const dk = dK.row(j);
      for (Index c = 0; c < K.cols; ++c) {
        const Real dsum = ds * v[c] * (1 - t[c] * t[c]);
        dq[c] += dsum;
        dk[c] += dsum;
        dv[c] += ds * t[c];
      }
    }
  }
}

}  // namespace attn
