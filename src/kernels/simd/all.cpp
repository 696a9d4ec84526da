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

static constexpr Kernels make_table() {
  Kernels table{};
  table.softmax_row = softmax_row;
  table.softmax_row_backward = softmax_row_backward;
  table.layer_norm_rows = layer_norm_rows;
  table.layer_norm_rows_backward = layer_norm_rows_backward;
  table.log_softmax_row = log_softmax_row;
  table.cross_entropy_row = cross_entropy_row;
  table.argmax_row = argmax_row;
  table.largest_row = largest_row;
  table.vector_add = vector_add;
  table.vector_axpy = vector_axpy;
  table.vector_multiply_add = vector_multiply_add;
  table.vector_scaled_copy = vector_scaled_copy;
  table.vector_exp = vector_exp;
  table.vector_relu_backward = vector_relu_backward;
  table.vector_sum_of_squares = vector_sum_of_squares;
  table.vector_dropout = vector_dropout;
  table.vector_adam = vector_adam;
  table.matmul_naive = matmul_naive;
  table.matmul_reordered = matmul_reordered;
  table.matmul_blocked = matmul_blocked;
  table.matmul_packed = matmul_packed;
  table.matmul_simd = matmul_simd;
  table.matmul_blocks = matmul_blocks;
  table.matmul_block = matmul_block;
  table.matmul_pack = matmul_pack;
  table.matmul_rows = matmul_rows;
  table.peak_multiply_adds = peak_multiply_adds;
  table.stream_sum = stream_sum;
  return table;
}

extern const Kernels table;  // for kernels/isa.cpp
constexpr Kernels table = make_table();

}  // namespace attn::ATTENTION_ISA_NAME
