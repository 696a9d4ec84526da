// A B as a new tensor. The layers write products where the result belongs, so only tests need one.
#pragma once

#include "tensor/matrix_view.h"

namespace attn::test {

inline Tensor product(const ConstMatrixView& A, const ConstMatrixView& B) {
  Tensor C = Tensor::uninitialised({A.rows, B.cols});
  matmul(A, B, C);
  return C;
}

}  // namespace attn::test
