#include "kernels/simd/table.h"

#include "kernels/simd/functions.h"

namespace attn::ATTENTION_ISA_NAME {

const KernelTable table = {
    matmul_naive,
    matmul_reordered,
    matmul_blocked,
    matmul_packed,
    matmul_simd,
    matmul_blocks,
    matmul_block,
    matmul_pack,
    matmul_rows,
    softmax_row,
    softmax_row_backward,
    layer_norm_rows,
    layer_norm_rows_backward,
    column_sums,
    column_dots,
    log_softmax_row,
    cross_entropy_row,
    argmax_row,
    largest_row,
    vector_add,
    vector_axpy,
    vector_scale,
    vector_scaled_copy,
    vector_exp,
    vector_relu_backward,
    vector_sum_of_squares,
    vector_dropout,
    vector_adam,
    peak_multiply_adds,
    stream_sum,
    stream_triad,
};

}  // namespace attn::ATTENTION_ISA_NAME
