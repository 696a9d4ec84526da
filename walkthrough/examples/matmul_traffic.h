// How many bytes each rung of the ladder brings into the second cache, counted from its loops, for
// square matrices of floats and the machine of data/measurements/intel/ladder.tsv.
#pragma once

#include <cmath>
#include <string>

#include "kernels/simd/matmul_block.h"

namespace attn::walkthrough {

constexpr double kL2Bytes = 2 * 1024 * 1024, kLineBytes = 64;

inline double bytes_into_l2(const std::string& rung, double n) {
  const double matrix = 4 * n * n, each_once = 3 * matrix;
  const auto blocks = [n](double size) { return std::ceil(n / size); };
  // Down a column of B, rows a power of two apart share few places in the cache: the lines of a
  // column stay until the next column if, and only if, all of B would.
  const bool b_stays = matrix <= kL2Bytes;
  if (rung == "matmul_naive") return b_stays ? each_once : kLineBytes * n * n * n;
  if (rung == "matmul_reordered") return b_stays ? each_once : matrix * n + 2 * matrix;
  if (rung == "matmul_blocked" || rung == "matmul_packed") {
    // 128 by 512 numbers of B stay, beside 512 columns of C if these fit as well.
    const double depth = 128, columns = 512;
    if (4 * (depth * columns + n * columns) <= kL2Bytes) return each_once;
    return matrix * (1 + blocks(columns) + 2 * blocks(depth));  // B; A; C, there and back
  }
  // matmul_simd, matmul: C comes and goes once for each block of k; A is read, its packed copy
  // written, and read again for each further block of columns.
  const double depth = static_cast<double>(kBlockDepth),
               columns = static_cast<double>(kBlockColumns);
  if (blocks(depth) == 1) return each_once;
  return matrix * (1 + 1 + blocks(columns) + 2 * blocks(depth) - 1);
}

// Floating-point operations for each of these bytes.
inline double operations_per_byte(const std::string& rung, double n) {
  return 2 * n * n * n / bytes_into_l2(rung, n);
}

}  // namespace attn::walkthrough
