// A tile of 8 × 8 is 8 lines; three of them fill 24 of the cache's 32. The tile of C stays while
// the loop over k0 runs, so C is fetched once (128 lines). A and B are fetched once for each of 4
// tiles along the other side, 4 · 128 lines each. That makes 1152 in all.
#include "support/watched.h"

void multiply_blocked(WatchedMatrix& A, WatchedMatrix& B, WatchedMatrix& C, Index tile) {
  for (Index i0 = 0; i0 < C.rows(); i0 += tile) {
    for (Index j0 = 0; j0 < C.cols(); j0 += tile) {
      for (Index k0 = 0; k0 < A.cols(); k0 += tile) {
        for (Index i = i0; i < std::min(i0 + tile, C.rows()); ++i) {
          for (Index k = k0; k < std::min(k0 + tile, A.cols()); ++k) {
            const double a = A(i, k);
            for (Index j = j0; j < std::min(j0 + tile, C.cols()); ++j) C(i, j) += a * B(k, j);
          }
        }
      }
    }
  }
}
