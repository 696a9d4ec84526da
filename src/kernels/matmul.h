// Matrix products, C = A B, as a ladder of functions with one signature. Each rung is one file and
// says what held back the rung before; the last, matmul, is the one that everything else calls.
//
// Every rung gives the same bits. An element of C is one chain of fused multiply-adds over
// ascending k,
//     c ← 0 (or the old C, if accumulating);  c ← fma(a[i,k], b[k,j], c)  for k = 0, 1, …
// and blocks, tiles, vectors and threads only choose which elements are computed when and where.
// (On a processor without fused multiply-add the product is rounded before it is added.)
#pragma once

#include "base/real.h"

namespace attn {

// A matrix to read: element (i, j) is data[i * row_stride + j * col_stride]. A transposed matrix is
// the same memory with the strides exchanged.
struct MatmulOperand {
  const Real* data;
  Index row_stride, col_stride;
};

// One product: C [m, n] = A [m, k] B [k, n], with C row-major, its rows c_stride apart.
// Sizes may be 0; with k = 0 the product is all zeros.
struct MatmulProblem {
  Index m, n, k;
  MatmulOperand a, b;
  Real* c;
  Index c_stride;
  bool accumulate = false;     // C += A B
  const Real* bias = nullptr;  // [n], added to each row after the last k; not with accumulate
  bool relu = false;           // max(0, ·) after the bias; not with accumulate
};

void matmul_naive(const MatmulProblem& problem);      // three loops, as in the definition
void matmul_reordered(const MatmulProblem& problem);  // loop order i, k, j: rows of B stream by
void matmul_blocked(const MatmulProblem& problem);    // blocks that stay in the caches
void matmul_packed(const MatmulProblem& problem);     // blocks copied so that they are contiguous
void matmul_simd(const MatmulProblem& problem);       // a tile of C in vector registers
void matmul(const MatmulProblem& problem);            // the same on all threads

}  // namespace attn
