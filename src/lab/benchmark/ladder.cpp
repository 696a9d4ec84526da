// A rate is the operations of a product, 2 m n k, divided by its time.
#include "lab/benchmark/ladder.h"

#include <algorithm>

#include "base/format.h"
#include "base/parallel.h"
#include "tensor/tensor.h"

namespace attn {

const std::vector<Rung> kRungs{
    {"matmul_naive", matmul_naive,
     "the definition: each sum waits for itself, and B is read down its columns"},
    {"matmul_reordered", matmul_reordered,
     "no more waiting and jumping: rows of B and C stream by, as vectors"},
    {"matmul_blocked", matmul_blocked,
     "B is read from memory once, not once per row: its blocks stay in the cache"},
    {"matmul_packed", matmul_packed,
     "no more rows that are far apart: blocks are copied into one piece"},
    {"matmul_simd", matmul_simd,
     "C is not loaded and stored at every step: a tile of it stays in registers"},
    {"matmul", matmul, "no more idle cores: all threads share the work"},
};

namespace {

constexpr double kLongestCall = 0.5;  // seconds

// The factors and the product of a rung.
struct Cube {
  Tensor a, b, c;
  explicit Cube(Index size) : a(Tensor::zeros({size, size})), b(Tensor::zeros({size, size})), c(a) {
    a.fill(Real(0.5));
    b.fill(Real(0.25));
  }
  // The first `rows` rows of C.
  MatmulProblem problem(Index rows) {
    const Index n = a.cols();
    return {rows, n, n, {a.data(), n, 1}, {b.data(), n, 1}, c.data(), n};
  }
};

// As many rows as one call can do in time.
Index rows_in_time(const Rung& rung, Cube& cube) {
  const Index size = cube.a.rows(), few = std::min<Index>(size, 16);
  const double row =
      seconds_of([&] { rung.multiply(cube.problem(few)); }, {0, 0, 1}) / to_double(few);
  if (row * to_double(size) <= kLongestCall) return size;
  return std::clamp(static_cast<Index>(kLongestCall / row), few, size);
}

double operations(const MatmulProblem& p) {
  return 2 * to_double(p.m) * to_double(p.n) * to_double(p.k);
}

}  // namespace

Json measure_ladder(const std::vector<Index>& sizes, const Patience& patience,
                    const Announce& announce) {
  Json ladder = Json::array();
  for (const Index size : sizes) {
    Cube cube(size);
    for (const Rung& rung : kRungs) {
      announce(text(rung.name, " at ", size));
      const bool last = &rung == &kRungs.back();
      const int count = last ? threads() : 1;
      const WithThreads with(count);
      const Index rows = rows_in_time(rung, cube);
      const MatmulProblem problem = cube.problem(rows);
      const Speed speed = speed_of([&] { rung.multiply(problem); }, operations(problem), patience);
      ladder.add(Json::object({{"rung", rung.name},
                               {"size", size},
                               {"threads", count},
                               {"gflops", speed.rate / 1e9},
                               {"share", speed.share},
                               {"rows", rows}}));
    }
  }
  return ladder;
}

double matmul_1024_rate() {
  Cube cube(1024);
  const MatmulProblem problem = cube.problem(1024);
  const std::vector<double> runs = seconds_of_runs([&] { matmul(problem); }, {0, 0.3, 5});
  return operations(problem) / *std::min_element(runs.begin(), runs.end());
}

}  // namespace attn
