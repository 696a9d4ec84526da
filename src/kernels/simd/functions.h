// The functions of this folder's sources, declared in the namespace of the instruction set that is
// being compiled. What they do is said in kernels/matmul.h, rows.h, vector.h and peak.h.
#pragma once

#include "kernels/simd/table.h"

namespace attn::ATTENTION_ISA_NAME {

decltype(attn::matmul_naive) matmul_naive, matmul_reordered, matmul_blocked;
void matmul_packed(const MatmulProblem& problem, Real* a, Real* b);
void matmul_simd(const MatmulProblem& problem, Real* a, Real* b);
Index matmul_blocks(const MatmulProblem& problem);
MatmulBlock matmul_block(const MatmulProblem& problem, Index number, const Real* b);
void matmul_pack(const MatmulProblem& problem, const MatmulBlock& block, Index begin, Index end,
                 Real* b);
void matmul_rows(const MatmulProblem& problem, const MatmulBlock& block, Index begin, Index end,
                 Real* a);

decltype(attn::softmax_row) softmax_row;
decltype(attn::softmax_row_backward) softmax_row_backward;
decltype(attn::layer_norm_rows) layer_norm_rows;
decltype(attn::layer_norm_rows_backward) layer_norm_rows_backward;
decltype(attn::column_sums) column_sums;
decltype(attn::column_dots) column_dots;
decltype(attn::log_softmax_row) log_softmax_row;
decltype(attn::cross_entropy_row) cross_entropy_row;
decltype(attn::argmax_row) argmax_row;
decltype(attn::largest_row) largest_row;

decltype(attn::vector_add) vector_add;
decltype(attn::vector_axpy) vector_axpy;
decltype(attn::vector_scale) vector_scale;
decltype(attn::vector_scaled_copy) vector_scaled_copy;
decltype(attn::vector_exp) vector_exp;
decltype(attn::vector_relu_backward) vector_relu_backward;
decltype(attn::vector_sum_of_squares) vector_sum_of_squares;
decltype(attn::vector_dropout) vector_dropout;
decltype(attn::vector_adam) vector_adam;

decltype(attn::peak_multiply_adds) peak_multiply_adds;
decltype(attn::stream_sum) stream_sum;
decltype(attn::stream_triad) stream_triad;

}  // namespace attn::ATTENTION_ISA_NAME
