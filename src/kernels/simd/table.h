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

// How a product is cut up: B into blocks, a block into panels, A into panels of rows. First the
// panels of a block are packed, then each panel of A is multiplied by the block, each step by any
// threads. `a` and `b` are memory for kWorkspaceA and kWorkspaceB numbers, aligned to a cache line;
// all threads and all blocks of a product share them.
constexpr Index kBlockDepth = 2048 / static_cast<Index>(sizeof(Real));  // rows of a block of B
constexpr Index kBlockColumns = 512;
constexpr Index kPanelsPackedTogether = 4;
constexpr Index kWorkspaceA = kBlockDepth * 2560;
constexpr Index kWorkspaceB = kBlockDepth * kBlockColumns;

struct MatmulBlock {
  Index k, depth;    // the first row of B and how many
  Index j, columns;  // the first column of B and how many
  const Real* b;     // B's row k begins at b + k * b_k, in panel i another i * b_panel on
  Index b_k, b_panel;
  Index panel_columns;
  bool transposed;    // b holds columns, col_stride apart, and is transposed on the way
  Index panels_of_b;  // to be packed; 0 if B is read where it is
  Index first_panel_of_a, panels_of_a;
  Index next_a_step;  // so many numbers of A are brought into the cache for each k of a tile
  bool first, last;   // of the blocks that use these panels with this k: first, they are packed
};

struct KernelTable {
  decltype(attn::matmul_naive)*matmul_naive, *matmul_reordered, *matmul_blocked;
  void (*matmul_packed)(const MatmulProblem& problem, Real* a, Real* b);
  void (*matmul_simd)(const MatmulProblem& problem, Real* a, Real* b);
  Index (*matmul_blocks)(const MatmulProblem& problem);
  MatmulBlock (*matmul_block)(const MatmulProblem& problem, Index number, const Real* b);
  void (*matmul_pack)(const MatmulProblem& problem, const MatmulBlock& block, Index begin,
                      Index end, Real* b);
  void (*matmul_rows)(const MatmulProblem& problem, const MatmulBlock& block, Index begin,
                      Index end, Real* a);

  decltype(attn::softmax_row)* softmax_row;
  decltype(attn::softmax_row_backward)* softmax_row_backward;
  decltype(attn::layer_norm_rows)* layer_norm_rows;
  decltype(attn::layer_norm_rows_backward)* layer_norm_rows_backward;
  decltype(attn::column_sums)* column_sums;
  decltype(attn::column_dots)* column_dots;
  decltype(attn::log_softmax_row)* log_softmax_row;
  decltype(attn::cross_entropy_row)* cross_entropy_row;
  decltype(attn::argmax_row)* argmax_row;
  decltype(attn::largest_row)* largest_row;

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
