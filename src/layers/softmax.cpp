// p_j = e^(s_j − s_max) / Σ_l e^(s_l − s_max), over the legal l: e^s_max cancels, and nothing
// overflows. The loops over a row are in kernels/simd/rows.cpp.
#include "layers/softmax.h"

#include "base/check.h"
#include "kernels/kernels.h"

namespace attn {

// Runs body(i) for every row i. Where a vector of a short row reaches into the next one, rows are
// not taken one after the other, for speed: a load from where part of a vector was just stored has
// to wait for the store.
template <class Body>
static void for_each_row(const MatrixView& x, const Body& body) {
  const Index apart = 1 + kLanes / std::max<Index>(x.cols, 1);
  for (Index first = 0; first < apart; ++first) {
    for (Index i = first; i < x.rows; i += apart) body(i);
  }
}

void softmax(const MatrixView& S, Real scale, Mask mask) {
  for_each_row(S, [&](Index i) {
    const Index legal = legal_keys(mask, i, S.rows, S.cols);
    kernels().softmax_row(legal, scale, S.row(i));
    std::fill(S.row(i) + legal, S.row(i) + S.cols, Real{0});
  });
}

void softmax_backward(const ConstMatrixView& P, Real scale, Mask mask, const MatrixView& dP) {
  ATTN_CHECK(P.rows == dP.rows && P.cols == dP.cols, "weights P [", P.rows, ", ", P.cols,
             "] and their gradient [", dP.rows, ", ", dP.cols, "] differ in shape");
  ATTN_CHECK_EQ(P.col_stride, 1, "column stride of P");
  for_each_row(dP, [&](Index i) {
    const Index legal = legal_keys(mask, i, dP.rows, dP.cols);
    kernels().softmax_row_backward(legal, scale, P.data + i * P.row_stride, dP.row(i));
    std::fill(dP.row(i) + legal, dP.row(i) + dP.cols, Real{0});
  });
}

}  // namespace attn
