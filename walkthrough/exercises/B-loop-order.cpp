// The order of three loops                                                    ★ 15 min, B-matmul
//
// C += A B         A [m, k]   B [k, n]   C [m, n]        C_ij += Σ_k A_ik B_kj
//
// Any order of the three loops gives the same numbers. But a matrix lies in memory row by row, and
// memory comes in lines of 8 numbers: walking along a row, one read in 8 is a miss; walking down a
// column, every read is one, unless the line is still in the cache. Here the cache holds 32 lines.
// Choose the order of the loops so that the innermost one walks along rows only. Two orders do; of
// these, take the one whose middle loop does not walk down a column of A.
//
// With 32 × 32 matrices the order i, j, k misses about 33000 times. Stay below 5000.
//
// A(i, j) is an element, to read and to write; A.rows(), A.cols() are the sizes.
#include "support/watched.h"

void multiply_reordered(WatchedMatrix& A, WatchedMatrix& B, WatchedMatrix& C) {
  not_yet();
}
