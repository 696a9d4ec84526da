#include "lab/predecessors/hard_attention.h"

#include <algorithm>

#include "kernels/kernels.h"

namespace attn {

Tensor hard_attention(const Tensor& S, const Tensor& V) {
  ATTN_CHECK_EQ(S.cols(), V.rows(), "scores of a query, and values");
  ATTN_CHECK(S.cols() > 0, "hard attention needs a key");
  Tensor O = Tensor::uninitialised({S.rows(), V.cols()});
  for (Index i = 0; i < S.rows(); ++i) {
    std::copy_n(V.row(kernels().argmax_row(S.cols(), S.row(i))), V.cols(), O.row(i));
  }
  return O;
}

}  // namespace attn
