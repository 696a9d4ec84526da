// Watching the arithmetic while it runs. The library reaches its kernels through one table of
// functions (kernels.h). For a watcher, that table is replaced by one whose functions do the same
// and then report; without one, nothing costs more.
#pragma once

#include <functional>

#include "tensor/matrix_view.h"

namespace attn {

// Products that were added up: C = A B of matrices, or y += a ⊙ x and y += a x of vectors, which
// are matrices of one row; the number a is a factor without rows.
struct SeenProduct {
  Index multiply_adds;
  ConstMatrixView a, b;
  MatrixView c;  // where the sums are
};

// Each is called after the kernel has run. Sums without products, scalings and the backward
// kernels' elementwise products are not reported.
struct KernelWatcher {
  std::function<void(const SeenProduct&)> product;
  std::function<void(Index exponentials)> exponentials;
};

// Runs work() on one thread, so that a matrix product is one call, and reports what its kernels do,
// in order. Not inside itself.
void watch_kernels(const KernelWatcher& watcher, const std::function<void()>& work);

}  // namespace attn
