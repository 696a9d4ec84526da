// The functions that are compiled once for each instruction set, as a table of pointers. Sources in
// this folder are compiled with the flags of one set (ATTENTION_ISA_NAME) into a namespace of that
// name. They include only headers whose functions are all static: the linker keeps one copy of an
// inline function, and if that copy held AVX-512 instructions, every program path would.
#pragma once

#include "kernels/matmul.h"
#include "kernels/peak.h"
#include "kernels/rows.h"
#include "kernels/vector.h"

namespace attn {

// How matmul_simd cuts a product up: into blocks of B, a block into panels to be packed, and its
// product into groups of rows of C. All panels come before all groups; otherwise each may be done
// by another thread. `b` and `a` are memory for kWorkspaceB and kWorkspaceA numbers, aligned to a
// cache line; threads share b and have an a each.
constexpr Index kBlockDepth = 2048 / static_cast<Index>(sizeof(Real));  // rows of a block of B
constexpr Index kBlockColumns = 512;
constexpr Index kWorkspaceB = kBlockDepth * kBlockColumns;
constexpr Index kWorkspaceA = kBlockDepth * 64;

struct MatmulBlock {
  Index k, depth;    // the first row of B and how many
  Index j, columns;  // the first column of B and how many
  const Real* b;     // B's row k begins at b + k * b_k, in panel i another i * b_panel on
  Index b_k, b_panel;
  bool transposed;  // b holds columns, col_stride apart, and is transposed on the way
  Index panels;     // to be packed; 0 if B is read where it is
  Index groups;     // of rows of C
};

struct KernelTable {
  decltype(attn::matmul_naive)*matmul_naive, *matmul_reordered, *matmul_blocked;
  void (*matmul_packed)(const MatmulProblem& problem, Real* a, Real* b);
  void (*matmul_simd)(const MatmulProblem& problem, Real* a, Real* b);
  Index (*matmul_blocks)(const MatmulProblem& problem);
  MatmulBlock (*matmul_block)(const MatmulProblem& problem, Index number, const Real* b);
  void (*matmul_pack)(const MatmulProblem& problem, const MatmulBlock& block, Index panel, Real* b);
  void (*matmul_rows)(const MatmulProblem& problem, const MatmulBlock& block, Index group, Real* a);

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

  decltype(attn::peak_multiply_adds)* peak_multiply_adds;
  decltype(attn::stream_sum)* stream_sum;
  decltype(attn::stream_triad)* stream_triad;
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
