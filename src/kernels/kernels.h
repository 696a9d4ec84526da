// The kernels: functions that are compiled once for each instruction set, and called as
//     kernels().softmax_row(n, scale, x);
// They run on the calling thread. Pointers may not overlap except where the comment says so.
//
// A new kernel needs a member here, an ordinary function of that name in a source of kernels/simd/,
// and its place in the table of kernels/simd/all.cpp.
#pragma once

#include <cstdint>

#include "base/real.h"

namespace attn {

// Partial results of a sum or maximum over a row; see Kernels.
constexpr Index kLanes = 16;

// What cross_entropy_row returns.
struct RowLoss {
  double smoothed;  // −Σ q ln p
  double log;       // −ln p_target
  bool right;       // the target is the first of the largest logits
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
  // ---- Rows of a matrix: softmax, layer normalisation, cross-entropy ----
  //
  // A sum or maximum over a row keeps kLanes partial results (element j goes to lane j mod kLanes)
  // and combines them in a fixed tree, so it is the same on every thread and on every instruction
  // set except the portable one, which rounds products before it adds them.

  // x ← softmax(scale · x), in place. With n = 0 nothing happens.
  void (*softmax_row)(Index n, Real scale, Real* x);
  // Given p = softmax(s) and dp, turns dp into ds:  ds = p ⊙ (dp − Σ p ⊙ dp), times scale.
  void (*softmax_row_backward)(Index n, Real scale, const Real* p, Real* dp);

  // Layer normalisation of `rows` rows of n numbers each, contiguous:
  //     x_hat = (x − mean) · inv_std, inv_std = 1/√(variance + epsilon), y = gamma ⊙ x_hat + beta
  // The variance is the biased one, computed in a second pass. x_hat may be x.
  void (*layer_norm_rows)(Index rows, Index n, Real epsilon, const Real* x, const Real* gamma,
                          const Real* beta, Real* x_hat, Real* mean, Real* inv_std, Real* y);
  //     dx = inv_std · (g − mean(g) − x_hat · mean(g ⊙ x_hat)),   g = gamma ⊙ dy.  dx may be dy.
  void (*layer_norm_rows_backward)(Index rows, Index n, const Real* dy, const Real* gamma,
                                   const Real* x_hat, const Real* inv_std, Real* dx);

  // Turns a row of logits in place into log-probabilities, x − ln Σ exp x.
  void (*log_softmax_row)(Index n, Real* x);
  // Cross-entropy of logits with the smoothed target q = (1 − ε) onehot(target) + ε/n. The
  // gradient, scale · (p − q), goes to dlogits, which may be the logits; nullptr means none.
  RowLoss (*cross_entropy_row)(Index n, Index target, Real epsilon, const Real* logits, Real scale,
                               Real* dlogits);

  // The largest element, NaN if any element is NaN or ∞, and −∞ if n = 0 or all elements are −∞.
  Real (*largest_row)(Index n, const Real* x);

  // ---- n contiguous numbers ----

  // y += x
  void (*vector_add)(Index n, const Real* x, Real* y);
  // y += a x
  void (*vector_axpy)(Index n, Real a, const Real* x, Real* y);
  // y += a ⊙ x
  void (*vector_multiply_add)(Index n, const Real* a, const Real* x, Real* y);
  // y ← a x; y may be x
  void (*vector_scaled_copy)(Index n, Real a, const Real* x, Real* y);
  // y ← eˣ; y may be x
  void (*vector_exp)(Index n, const Real* x, Real* y);
  // dh ← 0 where h is not > 0
  void (*vector_relu_backward)(Index n, const Real* h, Real* dh);
  // Σ x², summed in double
  double (*vector_sum_of_squares)(Index n, const Real* x);

  // Inverted dropout, in place: element i becomes 0 if philox_word(seed, stream, first + i) is
  // below p · 2³², and is multiplied by 1/(1 − p) otherwise. 0 ≤ p < 1.
  void (*vector_dropout)(Index n, double p, std::uint64_t seed, std::uint64_t stream,
                         std::uint64_t first, Real* x);

  // One Adam step (Kingma & Ba 2015, algorithm 1) on n weights w with gradients g and moments m, v.
  //     m ← β₁ m + (1 − β₁) g      v ← β₂ v + (1 − β₂) g²
  //     w ← w − rate · m̂ / (√v̂ + ε),   m̂ = m · correction1,   v̂ = v · correction2
  // A moment below the smallest normal number becomes 0.
  void (*vector_adam)(Index n, const AdamStep& step, const Real* g, Real* w, Real* m, Real* v);

  // ---- Parts of the products in kernels/matmul.h, compiled for each instruction set ----
  // Call the functions of matmul.h instead: they provide memory and share work among threads.

  // The rungs on one thread. a and b have room for kWorkspaceA and kWorkspaceB numbers.
  void (*matmul_naive)(const MatmulProblem& problem);
  void (*matmul_reordered)(const MatmulProblem& problem);
  void (*matmul_blocked)(const MatmulProblem& problem);
  void (*matmul_packed)(const MatmulProblem& problem, Real* a, Real* b);
  void (*matmul_simd)(const MatmulProblem& problem, Real* a, Real* b);

  // The steps of matmul_simd, for several threads (simd/matmul_block.h). The number of blocks, and
  // block `number`; b is the memory into which it will be packed.
  Index (*matmul_blocks)(const MatmulProblem& problem);
  MatmulBlock (*matmul_block)(const MatmulProblem& problem, Index number, const Real* b);
  // Packs panels begin to end − 1 of the block of B, at most block.together.
  void (*matmul_pack)(const MatmulProblem& problem, const MatmulBlock& block, Index begin,
                      Index end, Real* b);
  // Multiplies panels begin to end − 1 of A, at most block.together, by the packed block.
  void (*matmul_rows)(const MatmulProblem& problem, const MatmulBlock& block, Index begin,
                      Index end, Real* a);

  // ---- The two limits of a processor: multiply-adds, and reading and writing memory ----

  // Does `steps` multiply-adds in every lane of independent vectors in registers. Returns the
  // operations, two per multiply-add. `sink` gets a sum, so that the compiler keeps the work.
  double (*peak_multiply_adds)(Index steps, Real* sink);

  // Σ x: reads n numbers.
  Real (*stream_sum)(Index n, const Real* x);
};

// Those of the instruction set in use (kernels/isa.h). Throws attn::Error if the environment
// variable ATTENTION_ISA names a set that is not available.
const Kernels& kernels();

}  // namespace attn
