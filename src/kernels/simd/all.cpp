// All kernels, compiled with the flags of one instruction set (ATTENTION_ISA_NAME) into a namespace
// of that name, and the table of them. The build compiles this file once for each set.
//
// The sources of this folder include only headers whose functions are all static. The linker keeps
// one copy of an inline function; if that copy held AVX-512 instructions, every path through the
// program would run them. The table is a constant for the same reason: code that fills it before
// main would run on processors that cannot execute it.
#include "kernels/kernels.h"

#include "kernels/simd/matmul_blocked.cpp"
#include "kernels/simd/matmul_naive.cpp"
#include "kernels/simd/matmul_packed.cpp"
#include "kernels/simd/matmul_reordered.cpp"
#include "kernels/simd/matmul_simd.cpp"
#include "kernels/simd/peak.cpp"
#include "kernels/simd/rows.cpp"
#include "kernels/simd/vector.cpp"

namespace attn::ATTENTION_ISA_NAME {

extern const Kernels table;  // for kernels/isa.cpp

// In the order of kernels.h.
constexpr Kernels table = {
    // Rows of a matrix
    softmax_row, softmax_row_backward, layer_norm_rows, layer_norm_rows_backward, log_softmax_row,
    cross_entropy_row, largest_row,
    // Contiguous numbers
    vector_add, vector_axpy, vector_multiply_add, vector_scaled_copy, vector_exp,
    vector_relu_backward, vector_sum_of_squares, vector_dropout, vector_adam,
    // Products
    matmul_naive, matmul_reordered, matmul_blocked, matmul_packed, matmul_simd, matmul_blocks,
    matmul_block, matmul_pack, matmul_rows,
    // Limits of a processor
    peak_multiply_adds, stream_sum};

}  // namespace attn::ATTENTION_ISA_NAME
