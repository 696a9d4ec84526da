// What an exercise may use: the standard library's vectors and mathematics, and the library's
// tensors. Numbers are doubles here, so that finite differences have digits to spare.
//
//     Tensor y = Tensor::zeros({m, n});     y(i, j), y.rows(), y.cols(); of a vector y[i]
//     for (Index i = 0; i < y.elements(); ++i) y[i] = 1;     all, row after row
//     product(A, B)                         A B, a new tensor
//     product(transposed(x), dy)            xᵀ dy; transposed(x) copies nothing
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/product.h"
#include "tensor/matrix_view.h"
#include "tensor/packed.h"

using attn::ConstMatrixView;
using attn::Index;
using attn::MatrixView;
using attn::Offsets;
using attn::Tensor;
using attn::transposed;
using attn::test::product;

struct NotYet : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Stands where your code goes.
[[noreturn]] inline void not_yet() {
  throw NotYet("not written yet: there is still a not_yet() where your code goes");
}
