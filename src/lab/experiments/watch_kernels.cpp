// A copy of the table of kernels, in which those to be watched are replaced by functions that call
// the original and report.
#include "lab/experiments/watch_kernels.h"

#include "base/check.h"
#include "base/parallel.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace attn {

namespace {

// Kernels are plain functions: what they report to is not among their arguments.
struct Watch {
  const Kernels* original = nullptr;
  const KernelWatcher* watcher = nullptr;
  Kernels table;
};
Watch& watch() {
  static Watch the_watch;
  return the_watch;
}

ConstMatrixView view(const MatmulOperand& x, Index rows, Index cols) {
  return {x.data, rows, cols, x.row_stride, x.col_stride};
}

void see_exponentials(Index n) {
  if (watch().watcher->exponentials) watch().watcher->exponentials(n);
}

void see_product(const SeenProduct& product) {
  if (watch().watcher->product) watch().watcher->product(product);
}

void seen_matmul(const MatmulProblem& problem, Real* a, Real* b) {
  watch().original->matmul_simd(problem, a, b);
  const Index m = problem.m, n = problem.n, k = problem.k;
  const MatrixView c{problem.c, m, n, problem.c_stride};
  see_product({m * n * k, view(problem.a, m, k), view(problem.b, k, n), c});
}

void seen_multiply_add(Index n, const Real* a, const Real* x, Real* y) {
  watch().original->vector_multiply_add(n, a, x, y);
  see_product({n, {a, 1, n, n}, {x, 1, n, n}, {y, 1, n, n}});
}

void seen_axpy(Index n, Real a, const Real* x, Real* y) {
  watch().original->vector_axpy(n, a, x, y);
  see_product({n, {}, {x, 1, n, n}, {y, 1, n, n}});
}

void seen_softmax(Index n, Real scale, Real* x) {
  watch().original->softmax_row(n, scale, x);
  see_exponentials(n);
}

void seen_log_softmax(Index n, Real* x) {
  watch().original->log_softmax_row(n, x);
  see_exponentials(n);
}

void seen_exp(Index n, const Real* x, Real* y) {
  watch().original->vector_exp(n, x, y);
  see_exponentials(n);
}

// The kernels as they were, also after an exception.
struct Restored {
  ~Restored() {
    replace_kernels(nullptr);
    watch().watcher = nullptr;
  }
};

}  // namespace

void watch_kernels(const KernelWatcher& watcher, const std::function<void()>& work) {
  ATTN_CHECK(watch().watcher == nullptr, "the kernels are being watched already");
  const WithThreads one(1);
  const Restored restored;
  const Kernels& original = kernels();
  watch() = {&original, &watcher, original};
  Kernels& table = watch().table;
  table.matmul_simd = seen_matmul;
  table.vector_multiply_add = seen_multiply_add;
  table.vector_axpy = seen_axpy;
  table.softmax_row = seen_softmax;
  table.log_softmax_row = seen_log_softmax;
  table.vector_exp = seen_exp;
  replace_kernels(&table);
  work();
}

}  // namespace attn
