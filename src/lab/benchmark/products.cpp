#include "lab/benchmark/products.h"

#include <algorithm>
#include <set>

#include "base/parallel.h"
#include "kernels/matmul.h"
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
      seconds_of([&] { rung.multiply(cube.problem(few)); }, {0, 0, 1}) / static_cast<double>(few);
  if (row * static_cast<double>(size) <= kLongestCall) return size;
  return std::clamp(static_cast<Index>(kLongestCall / row), few, size);
}

double operations(const MatmulProblem& p) {
  return 2 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

}  // namespace

std::vector<RungSpeed> measure_ladder(const std::vector<Index>& sizes, const Patience& patience,
                                      const Announce& announce) {
  std::vector<RungSpeed> speeds;
  for (const Index size : sizes) {
    Cube cube(size);
    for (const Rung& rung : kRungs) {
      announce(text(rung.name, " at ", size));
      const bool last = &rung == &kRungs.back();
      const int count = last ? threads() : 1;
      const WithThreads with(count);
      const Index rows = rows_in_time(rung, cube);
      const MatmulProblem problem = cube.problem(rows);
      speeds.push_back(
          {rung.name, size, count, rows,
           speed_of([&] { rung.multiply(problem); }, operations(problem), 0, patience)});
    }
  }
  return speeds;
}

double matmul_1024_rate() {
  Cube cube(1024);
  const MatmulProblem problem = cube.problem(1024);
  const std::vector<double> runs = seconds_of_runs([&] { matmul(problem); }, {0, 0.3, 5});
  return operations(problem) / *std::min_element(runs.begin(), runs.end());
}

namespace {

constexpr Index kHeadTasks = 64;  // heads of sentences that are computed together

// Matrices [rows, cols], one per task. Those of the heads are columns of a wide one, side by side.
struct Layout {
  Index rows, cols, heads;
  Index stride() const { return heads * cols; }
  Index first(Index task) const { return task / heads * rows * stride() + task % heads * cols; }
};

// A product with its memory. Of attention's products there are several, for the threads to share.
struct ProductRun {
  const Product& product;
  Layout a_at, b_at, c_at;
  Index tasks;
  Tensor a, b, c;

  ProductRun(const Product& p, Index heads)
      : product(p),
        // Q, K, V and O are wide; scores and weights are not.
        a_at(p.kind == Product::Kind::TN ? Layout{p.k, p.m, 1} : Layout{p.m, p.k, 1}),
        b_at(p.kind == Product::Kind::NT ? Layout{p.n, p.k, 1} : Layout{p.k, p.n, 1}),
        c_at{p.m, p.n, 1},
        tasks(p.per_head ? (kHeadTasks + heads - 1) / heads * heads : 1) {
    if (p.per_head) {
      b_at.heads = heads;
      (p.kind == Product::Kind::NT ? a_at : c_at).heads = heads;
    }
    a = Tensor::zeros({tasks * p.m * p.k});
    b = Tensor::zeros({tasks * p.k * p.n});
    c = Tensor::zeros({tasks * p.m * p.n});
    a.fill(Real(0.5));
    b.fill(Real(0.25));
  }

  void multiply(Index task) {
    const Index a_stride = a_at.stride(), b_stride = b_at.stride();
    const Real *a_data = a.data() + a_at.first(task), *b_data = b.data() + b_at.first(task);
    MatmulProblem p{product.m,
                    product.n,
                    product.k,
                    {a_data, a_stride, 1},
                    {b_data, b_stride, 1},
                    c.data() + c_at.first(task),
                    c_at.stride()};
    if (product.kind == Product::Kind::TN) p.a = {a_data, 1, a_stride};
    if (product.kind == Product::Kind::NT) p.b = {b_data, 1, b_stride};
    p.accumulate = product.kind == Product::Kind::TN && !product.per_head;  // dW += xᵀ dy
    matmul(p);
  }
  void multiply_all() {
    parallel_for(tasks, [&](Index task) { multiply(task); });
  }
};

}  // namespace

std::vector<ShapeSpeed> measure_shapes(const TransformerConfig& config, Index sentences,
                                       Index length, const Patience& patience,
                                       const Announce& announce) {
  Offsets offsets{0};
  for (Index b = 1; b <= sentences; ++b) offsets.push_back(b * length);
  std::vector<ShapeSpeed> speeds;
  for (const int count : std::set<int>{1, threads()}) {
    const WithThreads with(count);
    for (const Product& product : step_products(config, offsets, offsets)) {
      announce(text(product.what, ", ", count, " threads"));
      ProductRun run(product, config.heads);
      const double all = static_cast<double>(run.tasks) * product.operations();
      speeds.push_back({product, count, speed_of([&] { run.multiply_all(); }, all, 0, patience)});
    }
  }
  return speeds;
}

}  // namespace attn
