// The order of three loops                                                    ★ 15 min, B-matmul
//
// C += A B         A [m, k]   B [k, n]   C [m, n]        C_ij += Σ_k A_ik B_kj
//
// Any order of the three loops gives the same numbers. But a matrix is stored row by row, and the
// cache fetches lines of 8 numbers. Walk along a row, and one read in 8 is a miss. Walk down a
// column, and every read misses, unless its line is still in the cache. Here the cache holds 32
// lines. Choose an order whose innermost loop walks along rows only. There are two; take the one
// whose middle loop does not walk down a column of A.
//
// With 32 × 32 matrices the order i, j, k misses about 33000 times. Stay below 5000.
//
// A(i, j) is an element, to read and to write; A.rows(), A.cols() are the sizes.
#include "support/watched.h"

void multiply_reordered(WatchedMatrix& A, WatchedMatrix& B, WatchedMatrix& C) {
  not_yet();
}
