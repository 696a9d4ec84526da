#include "tensor/matrix_view.h"

#include <doctest/doctest.h>

#include <utility>

#include "support/random_tensors.h"

using namespace attn;
using namespace attn::test;

namespace {

// C = A B by the definition, over doubles.
void check_product(const ConstMatrixView& A, const ConstMatrixView& B, const ConstMatrixView& C,
                   double before = 0) {
  for (Index i = 0; i < C.rows; ++i) {
    for (Index j = 0; j < C.cols; ++j) {
      double sum = before;
      for (Index k = 0; k < A.cols; ++k) {
        sum += static_cast<double>(A(i, k)) * static_cast<double>(B(k, j));
      }
      CHECK(std::abs(static_cast<double>(C(i, j)) - sum) < (sizeof(Real) == 8 ? 1e-12 : 1e-4));
    }
  }
}

}  // namespace

TEST_SUITE("A tensor") {
  TEST_CASE("a block names rows and columns of a tensor without copying them") {
    Tensor x = random_tensor({5, 7}, 1);
    const MatrixView b = block(x, 1, 4, 2, 3);
    CHECK(b.rows == 3);
    CHECK(b.cols == 3);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) CHECK(&b(i, j) == &x.data()[(1 + i) * 7 + 2 + j]);
    }
    b(0, 0) = 99;
    CHECK(x(1, 2) == 99);
    const Tensor& y = x;
    const ConstMatrixView c = block(y, 1, 4, 2, 3);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) CHECK(&c(i, j) == &y.data()[(1 + i) * 7 + 2 + j]);
    }
    CHECK(&rows_of(y, 2, 5)(0, 6) == &y.data()[2 * 7 + 6]);
    CHECK(rows_of(y, 2, 5).rows == 3);
    CHECK(rows_of(x, 3, 3).rows == 0);
    CHECK(block(y, 0, 5, 7, 0).cols == 0);
  }

  TEST_CASE("a block outside its tensor is an error that says where") {
    Tensor x = Tensor::zeros({5, 7});
    CHECK_THROWS_WITH_AS(block(x, 1, 6, 2, 3),
                         "rows 1 to 6 and columns 2 to 5 are not inside a tensor of shape [5, 7]",
                         Error);
    CHECK_THROWS_AS(block(x, -1, 2, 0, 7), Error);
    CHECK_THROWS_AS(block(x, 3, 2, 0, 7), Error);
    CHECK_THROWS_AS(block(x, 0, 5, 5, 3), Error);
    CHECK_THROWS_AS(block(x, 0, 5, -1, 3), Error);
    CHECK_THROWS_AS(block(x, 0, 5, 2, -1), Error);
    CHECK_THROWS_AS(rows_of(x, 0, 6), Error);
  }

  TEST_CASE("transposing moves nothing, and twice is nothing") {
    const Tensor x = random_tensor({3, 4}, 1);
    const ConstMatrixView t = transposed(x), tt = transposed(t);
    CHECK(t.rows == 4);
    CHECK(t.cols == 3);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 4; ++j) {
        CHECK(&t(j, i) == &x.data()[i * 4 + j]);
        CHECK(&tt(i, j) == &x.data()[i * 4 + j]);
      }
    }
  }

  TEST_CASE("products of blocks and transposes, assigned and added, are the definition's") {
    Tensor big = random_tensor({20, 30}, 1), other = random_tensor({30, 20}, 2);
    const Tensor& a = big;
    const Tensor& b = other;
    Tensor C = Tensor::zeros({9, 11});
    const auto A = block(a, 3, 12, 5, 7);               // [9, 7]
    const auto B = block(b, 2, 9, 4, 11);               // [7, 11]
    const auto At = transposed(block(b, 1, 8, 0, 9));   // [9, 7]
    const auto Bt = transposed(block(a, 2, 13, 1, 7));  // [7, 11]
    for (const ConstMatrixView& left : {A, At}) {
      for (const ConstMatrixView& right : {B, Bt}) {
        C.fill(5);
        matmul(left, right, C);
        check_product(left, right, C);
        C.fill(5);
        matmul(left, right, C, Write::add);
        check_product(left, right, C, 5);
      }
    }
    // Into a block, leaving what is around it alone.
    Tensor around = Tensor::zeros({11, 13});
    around.fill(-1);
    matmul(A, B, block(around, 1, 10, 1, 11));
    check_product(A, B, block(std::as_const(around), 1, 10, 1, 11));
    for (Index i = 0; i < 11; ++i) CHECK((around(i, 0) == -1 && around(i, 12) == -1));
    for (Index j = 0; j < 13; ++j) CHECK((around(0, j) == -1 && around(10, j) == -1));
  }

  TEST_CASE("shapes that do not fit are an error that names all three") {
    const Tensor A = Tensor::zeros({2, 3}), B = Tensor::zeros({4, 5});
    Tensor C = Tensor::zeros({2, 5});
    CHECK_THROWS_WITH_AS(matmul(A, B, C), "cannot multiply [2, 3] by [4, 5] into [2, 5]", Error);
    const Tensor fitting = Tensor::zeros({3, 5});
    Tensor wrong_rows = Tensor::zeros({1, 5}), wrong_cols = Tensor::zeros({2, 4});
    CHECK_THROWS_AS(matmul(A, fitting, wrong_rows, Write::add), Error);
    CHECK_THROWS_AS(matmul(A, fitting, wrong_cols, Epilogue{}), Error);
  }
}
