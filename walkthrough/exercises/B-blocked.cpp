// A product in tiles                                                        ★★ 25 min, B-matmul
//
// C += A B         A [m, k]   B [k, n]   C [m, n]
//
// In the loop order i, k, j, all of B passes through the cache once for every row of C. Cut all
// three matrices into tiles of `tile` × `tile` numbers instead: a tile of A, one of B and one of C
// fit into the cache together, and each number fetched is used `tile` times before it goes.
//
// Three loops over tiles and three inside a tile will do. Sizes need not be multiples of the tile:
// the last tiles are smaller (std::min). The cache holds 32 lines of 8 numbers.
//
// With 32 × 32 matrices and tiles of 8, stay below 1500 misses; i, k, j has about 4350.
#include "support/watched.h"

void multiply_blocked(WatchedMatrix& A, WatchedMatrix& B, WatchedMatrix& C, Index tile) {
  not_yet();
}
