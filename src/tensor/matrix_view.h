// MatrixView: names a matrix inside a tensor without copying it, e.g. one head's columns of one
// sentence's rows. Element (i, j) is data[i * row_stride + j * col_stride], so transposing a view
// swaps its strides and touches no number.
#pragma once

#include "base/real.h"
#include "kernels/matmul.h"
#include "tensor/tensor.h"

namespace attn {

struct ConstMatrixView {
  const Real* data;
  Index rows, cols, row_stride, col_stride;

  ConstMatrixView(const Real* first, Index row_count, Index col_count, Index rows_apart,
                  Index cols_apart = 1)
      : data(first),
        rows(row_count),
        cols(col_count),
        row_stride(rows_apart),
        col_stride(cols_apart) {}
  // A whole tensor as a matrix: all axes but the last together are its rows.
  ConstMatrixView(const Tensor& x) : ConstMatrixView(x.data(), x.rows(), x.cols(), x.cols()) {}

  const Real& operator()(Index i, Index j) const { return data[i * row_stride + j * col_stride]; }
};

// The same, for writing: an output is passed as const MatrixView&, which keeps the view as it is,
// not its numbers. Its columns are always next to each other.
struct MatrixView {
  Real* data;
  Index rows, cols, row_stride;

  MatrixView(Real* first, Index row_count, Index col_count, Index rows_apart)
      : data(first), rows(row_count), cols(col_count), row_stride(rows_apart) {}
  MatrixView(Tensor& x) : MatrixView(x.data(), x.rows(), x.cols(), x.cols()) {}
  operator ConstMatrixView() const { return {data, rows, cols, row_stride}; }

  Real& operator()(Index i, Index j) const { return data[i * row_stride + j]; }
  Real* row(Index i) const { return data + i * row_stride; }
};

// Rows [begin, end) and columns [col, col + width) of a tensor seen as a matrix.
ConstMatrixView block(const Tensor& x, Index begin, Index end, Index col, Index width);
MatrixView block(Tensor& x, Index begin, Index end, Index col, Index width);
inline ConstMatrixView rows_of(const Tensor& x, Index begin, Index end) {
  return block(x, begin, end, 0, x.cols());
}
inline MatrixView rows_of(Tensor& x, Index begin, Index end) {
  return block(x, begin, end, 0, x.cols());
}

// Xᵀ, without moving anything.
inline ConstMatrixView transposed(const ConstMatrixView& x) {
  return {x.data, x.cols, x.rows, x.col_stride, x.row_stride};
}

// The numbers of a view, as a tensor [rows, cols].
Tensor copy_of(const ConstMatrixView& x);

// C = A B, or C += A B with Write::add. C may not overlap A or B. Throws if the shapes do not fit.
enum class Write { assign, add };
void matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C,
            Write write = Write::assign);

// C = A B + bias on every row, and max(0, ·) of that if asked for, while C is still in registers.
// A, B and C must fit and not overlap, as above.
struct Epilogue {
  const Real* bias = nullptr;  // [cols of C], or none
  bool relu = false;
};
void matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C,
            const Epilogue& epilogue);

}  // namespace attn
