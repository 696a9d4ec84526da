#include "benchmark/shapes.h"

#include <set>

#include "base/parallel.h"
#include "kernels/matmul.h"
#include "tensor/tensor.h"

namespace attn {

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
  void operator()() {
    parallel_for(tasks, [&](Index task) { multiply(task); });
  }
};

}  // namespace

std::vector<ShapeSpeed> measure_shapes(const Config& config, Index sentences, Index length,
                                       const Patience& patience, const Announce& announce) {
  Offsets offsets{0};
  for (Index b = 1; b <= sentences; ++b) offsets.push_back(b * length);
  std::vector<ShapeSpeed> speeds;
  for (const int count : std::set<int>{1, threads()}) {
    const WithThreads with(count);
    for (const Product& product : step_products(config, offsets, offsets)) {
      announce(text(product.what, ", ", count, " threads"));
      ProductRun run(product, config.heads);
      const double all = static_cast<double>(run.tasks) * product.operations();
      speeds.push_back({product, count, speed_of({[&] { run(); }, all}, patience)});
    }
  }
  return speeds;
}

}  // namespace attn
