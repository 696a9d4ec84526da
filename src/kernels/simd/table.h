// The functions that are compiled once for each instruction set, as a table of pointers. Sources in
// this folder are compiled with the flags of one set (ATTENTION_ISA_NAME) into a namespace of that
// name. They include only headers whose functions are all static: the linker keeps one copy of an
// inline function, and if that copy held AVX-512 instructions, every program path would.
#pragma once

#include "kernels/matmul.h"
#include "kernels/rows.h"
#include "kernels/vector.h"

namespace attn {

struct KernelTable {
  decltype(attn::matmul_naive)*matmul_naive, *matmul_reordered, *matmul_blocked, *matmul_packed,
      *matmul_simd;

  decltype(attn::softmax_row)* softmax_row;
  decltype(attn::softmax_row_backward)* softmax_row_backward;
  decltype(attn::layer_norm_rows)* layer_norm_rows;
  decltype(attn::layer_norm_rows_backward)* layer_norm_rows_backward;
  decltype(attn::column_sums)* column_sums;
  decltype(attn::column_dots)* column_dots;
  decltype(attn::log_softmax_row)* log_softmax_row;
  decltype(attn::cross_entropy_row)* cross_entropy_row;
  decltype(attn::argmax_row)* argmax_row;

  decltype(attn::vector_add)* vector_add;
  decltype(attn::vector_axpy)* vector_axpy;
  decltype(attn::vector_scale)* vector_scale;
  decltype(attn::vector_scaled_copy)* vector_scaled_copy;
  decltype(attn::vector_exp)* vector_exp;
  decltype(attn::vector_relu_backward)* vector_relu_backward;
  decltype(attn::vector_sum_of_squares)* vector_sum_of_squares;
  decltype(attn::vector_dropout)* vector_dropout;
  decltype(attn::vector_adam)* vector_adam;
};

// One for each instruction set that the compiler could build.
namespace portable {
extern const KernelTable table;
}
namespace avx2 {
extern const KernelTable table;
}
namespace avx512 {
extern const KernelTable table;
}
namespace neon {
extern const KernelTable table;
}

}  // namespace attn
