// The kernels: functions that are compiled once for each instruction set, and called as
//     kernels().softmax_row(n, scale, x);
// Each is documented where it is declared, in kernels/every_kernel.inc.
//
// A new kernel needs two pieces of code: its declaration in that list,
//     ATTN_KERNEL(void, softmax_row, (Index n, Real scale, Real* x));
// and its definition in a source of kernels/simd/, an ordinary function. The list is included
// wherever every kernel needs something, each time with another definition of ATTN_KERNEL. The
// line above becomes
//     void (*softmax_row)(Index n, Real scale, Real* x);     a member of Kernels, below
//     void softmax_row(Index n, Real scale, Real* x);        a declaration, in kernels/simd/all.cpp
//     table.softmax_row = softmax_row;                       an assignment, in kernels/simd/all.cpp
// the latter two once in the namespace of each instruction set.
#pragma once

#include <cstdint>

#include "base/real.h"

namespace attn {

// Partial results of a sum or maximum over a row; see every_kernel.inc.
constexpr Index kLanes = 16;

// What cross_entropy_row returns.
struct RowLoss {
  double smoothed;  // −Σ q ln p
  double log;       // −ln p_target
};

// What vector_adam needs in addition to the numbers.
struct AdamStep {
  Real rate, beta1, beta2, epsilon;
  Real correction1, correction2;  // 1/(1 − β₁ᵗ), 1/(1 − β₂ᵗ)
  Real gradient_scale;            // multiplies g first: clipping
};

struct MatmulProblem;  // kernels/matmul.h
struct MatmulBlock;    // kernels/simd/matmul_block.h

// The kernels of one instruction set.
struct Kernels {
#define ATTN_KERNEL(result, name, parameters) result(*name) parameters
#include "kernels/every_kernel.inc"
};

// Those of the instruction set in use (kernels/isa.h). Throws attn::Error if the environment
// variable ATTENTION_ISA names a set that is not available.
const Kernels& kernels();

}  // namespace attn
