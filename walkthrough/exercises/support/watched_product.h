// Runs a reader's product of matrices and counts its cache misses.
#pragma once

#include "support/checks.h"
#include "support/watched.h"

namespace exercises {

struct WatchedProduct {
  using Multiply = std::function<void(WatchedMatrix& A, WatchedMatrix& B, WatchedMatrix& C)>;

  Index misses = 0;
  Tensor got, want;

  // C [m, n] starts at ones, so that C += A B can be told from C = A B.
  WatchedProduct(Index m, Index n, Index k, const Multiply& multiply) {
    Cache cache(32);
    const Tensor a = random_tensor({m, k}, 1), b = random_tensor({k, n}, 2);
    want = product(a, b);
    Tensor ones = Tensor::zeros({m, n});
    for (Index i = 0; i < ones.elements(); ++i) {
      ones[i] = 1;
      want[i] += 1;
    }
    // Far from each other, so that no line belongs to two matrices.
    WatchedMatrix A(a, 0, cache), B(b, 1 << 20, cache), C(ones, 1 << 21, cache);
    multiply(A, B, C);
    misses = cache.misses;
    got = C.numbers;
  }
};

}  // namespace exercises
