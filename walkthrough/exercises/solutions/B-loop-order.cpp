// Order i, k, j. The innermost loop walks along row k of B and row i of C; A_ik stays in a
// register. Row i of C (4 lines) stays in the cache all through i; the 128 lines of B do not fit
// and come from memory once for every i: 32 · 128 misses, and 128 each for A and C.
#include "support/watched.h"

void multiply_reordered(WatchedMatrix& A, WatchedMatrix& B, WatchedMatrix& C) {
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index k = 0; k < A.cols(); ++k) {
      const double a = A(i, k);
      for (Index j = 0; j < C.cols(); ++j) C(i, j) += a * B(k, j);
    }
  }
}
