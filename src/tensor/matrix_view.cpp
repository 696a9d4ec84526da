// A view is a pointer, two sizes and two strides: what MatmulProblem asks for.
#include "tensor/matrix_view.h"

namespace attn {

// The element at which the block begins; 0 in an empty tensor, which has no memory.
static Index first_of_block(const Tensor& x, Index begin, Index end, Index col, Index width) {
  ATTN_CHECK(0 <= begin && begin <= end && end <= x.rows() && 0 <= col && 0 <= width &&
                 col + width <= x.cols(),
             "rows ", begin, " to ", end, " and columns ", col, " to ", col + width,
             " are not inside a tensor of shape ", to_string(x.shape()));
  return x.empty() ? 0 : begin * x.cols() + col;
}

ConstMatrixView block(const Tensor& x, Index begin, Index end, Index col, Index width) {
  const Index first = first_of_block(x, begin, end, col, width);
  return {x.data() + first, end - begin, width, x.cols()};
}

MatrixView block(Tensor& x, Index begin, Index end, Index col, Index width) {
  const Index first = first_of_block(x, begin, end, col, width);
  return {x.data() + first, end - begin, width, x.cols()};
}

Tensor copy_of(const ConstMatrixView& x) {
  Tensor copy = Tensor::uninitialised({x.rows, x.cols});
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) copy(i, j) = x(i, j);
  }
  return copy;
}

// An empty matrix may have no memory: no stride may be added to its null pointer.
static MatmulOperand operand_of(const ConstMatrixView& x) {
  if (x.data == nullptr) return {nullptr, 0, 0};
  return {x.data, x.row_stride, x.col_stride};
}

static MatmulProblem problem_of(const ConstMatrixView& A, const ConstMatrixView& B,
                                const MatrixView& C) {
  ATTN_CHECK(A.cols == B.rows && A.rows == C.rows && B.cols == C.cols, "cannot multiply [", A.rows,
             ", ", A.cols, "] by [", B.rows, ", ", B.cols, "] into [", C.rows, ", ", C.cols, "]");
  return {C.rows, C.cols, A.cols, operand_of(A), operand_of(B), C.data, C.row_stride};
}

void matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C, Write write) {
  MatmulProblem problem = problem_of(A, B, C);
  problem.accumulate = write == Write::add;
  matmul(problem);
}

void matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C,
            const Epilogue& epilogue) {
  MatmulProblem problem = problem_of(A, B, C);
  problem.bias = epilogue.bias;
  problem.relu = epilogue.relu;
  matmul(problem);
}

}  // namespace attn
