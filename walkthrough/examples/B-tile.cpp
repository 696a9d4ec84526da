// Appendix B's tile kernels, small enough to retype, beside the rungs of src/kernels/matmul.h.
//
//     example-B-tile check       compares products of whole numbers: KEY = VALUE
//     example-B-tile speed [N]   GFLOP/s of N × N products in float32, on one thread (N: 512);
//                                above 1024 without those that would take minutes
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/parallel.h"
#include "lab/benchmark/ladder.h"

#ifdef __x86_64__
#define TILE_TARGET __attribute__((target("avx2,fma")))
#define HAS_TARGET (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define TILE_TARGET
#define HAS_TARGET true
#endif

namespace {

// C = A B, all row-major: A [m, k], B [k, n], C [m, n]. Four sums in registers; m and n are even.
TILE_TARGET
void multiply_2x2(int m, int n, int k, const float* A, const float* B, float* C) {
  for (int i = 0; i < m; i += 2) {
    for (int j = 0; j < n; j += 2) {
      float c00 = 0, c01 = 0, c10 = 0, c11 = 0;
      for (int p = 0; p < k; ++p) {
        const float a0 = A[i * k + p], a1 = A[(i + 1) * k + p];
        const float b0 = B[p * n + j], b1 = B[p * n + j + 1];
        c00 += a0 * b0, c01 += a0 * b1;
        c10 += a1 * b0, c11 += a1 * b1;
      }
      C[i * n + j] = c00, C[i * n + j + 1] = c01;
      C[(i + 1) * n + j] = c10, C[(i + 1) * n + j + 1] = c11;
    }
  }
}

// Eight floats, anywhere in memory.
typedef float Vec __attribute__((vector_size(32), aligned(4), may_alias));

// The same with 6 rows by 2 vectors of C, twelve registers. m is at least 6, n at least 16; at the
// lower and the right edge a tile begins earlier, and computes some sums a second time.
TILE_TARGET
void multiply_6x2(int m, int n, int k, const float* A, const float* B, float* C) {
  for (int right = 16; right < n + 16; right += 16) {
    const int j = std::min(right, n) - 16;
    for (int below = 6; below < m + 6; below += 6) {
      const int i = std::min(below, m) - 6;
      Vec c[6][2] = {};
      for (int p = 0; p < k; ++p) {
        const Vec b0 = *reinterpret_cast<const Vec*>(B + p * n + j);
        const Vec b1 = *reinterpret_cast<const Vec*>(B + p * n + j + 8);
#pragma GCC unroll 6
        for (int r = 0; r < 6; ++r) {
          const float a = A[(i + r) * k + p];
          c[r][0] += a * b0;
          c[r][1] += a * b1;
        }
      }
#pragma GCC unroll 6
      for (int r = 0; r < 6; ++r) {
        *reinterpret_cast<Vec*>(C + (i + r) * n + j) = c[r][0];
        *reinterpret_cast<Vec*>(C + (i + r) * n + j + 8) = c[r][1];
      }
    }
  }
}

using Multiply = void (*)(int m, int n, int k, const float* A, const float* B, float* C);

// Elements of the product that are not those of the definition. The sums are exact.
int wrong(Multiply multiply, int m, int n, int k) {
  std::vector<float> a(m * k), b(k * n);
  std::vector<float> expected(m * n), c(expected.size(), -1e9f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 5 % 13) - 6;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 7 % 11) - 5;
  attn::matmul_naive({m, n, k, {a.data(), k, 1}, {b.data(), n, 1}, expected.data(), n});
  multiply(m, n, k, a.data(), b.data(), c.data());
  int count = 0;
  for (std::size_t i = 0; i < c.size(); ++i) count += c[i] != expected[i];
  return count;
}

void print_speeds(int n) {
  const auto size = static_cast<std::size_t>(n * n);
  const std::vector<float> a(size, 0.5f), b(size, 0.25f);
  std::vector<float> c(size);
  const attn::WithThreads one(1);
  std::printf("%d x %d, one thread, float32: GFLOP/s\n", n, n);
  const auto print = [&](const char* name, const std::function<void()>& work) {
    std::printf("  %-18s %7.2f\n", name, 2e-9 * n * n * n / attn::seconds_of(work));
  };
  const bool large = n > 1024;
  for (const attn::Rung& rung : attn::kRungs) {
    if (&rung == &attn::kRungs.back()) break;  // on all threads
    if (large && rung.multiply == attn::matmul_naive) continue;
    if (rung.multiply == attn::matmul_simd) {
      if (!large)
        print("multiply_2x2", [&] { multiply_2x2(n, n, n, a.data(), b.data(), c.data()); });
      print("multiply_6x2", [&] { multiply_6x2(n, n, n, a.data(), b.data(), c.data()); });
    }
    print(rung.name, [&] {
      rung.multiply({n, n, n, {a.data(), n, 1}, {b.data(), n, 1}, c.data(), n});
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!HAS_TARGET) {
    std::fprintf(stderr, "example-B-tile: needs a processor with AVX2 and FMA\n");
    return 1;
  }
  const char* const what = argc > 1 ? argv[1] : "";
  const int n = argc > 2 ? std::atoi(argv[2]) : 512;
  if (std::strcmp(what, "check") == 0) {
    std::printf("wrong.2x2 = %d\n", wrong(multiply_2x2, 34, 38, 50));
    std::printf("wrong.6x2 = %d\n",
                wrong(multiply_6x2, 31, 37, 50) + wrong(multiply_6x2, 6, 16, 1));
  } else if (std::strcmp(what, "speed") == 0 && n >= 16 && n % 2 == 0) {
    print_speeds(n);
  } else {
    std::fprintf(stderr, "usage: example-B-tile check | speed [N]    (N even, at least 16)\n");
    return 2;
  }
  return 0;
}
