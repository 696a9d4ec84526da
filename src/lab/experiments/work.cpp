// The kernels report every product to a watcher. One product needs another if a NaN put into the
// first reaches it.
#include "lab/experiments/work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "lab/experiments/watch_kernels.h"

namespace attn {

namespace {

constexpr Real kPoison = std::numeric_limits<Real>::quiet_NaN();

bool poisoned(const ConstMatrixView& factor) {
  for (Index i = 0; i < factor.rows; ++i) {
    for (Index j = 0; j < factor.cols; ++j) {
      if (std::isnan(factor(i, j))) return true;
    }
  }
  return false;
}

void poison(const MatrixView& result) {
  for (Index i = 0; i < result.rows; ++i) std::fill_n(result.row(i), result.cols, kPoison);
}

// The products that have a poisoned factor once the result of number `source` is poisoned.
std::vector<Index> products_after(const std::function<void()>& work, Index source) {
  std::vector<Index> found;
  Index number = 0;
  KernelWatcher watcher;
  watcher.product = [&](const SeenProduct& product) {
    if (number > source && (poisoned(product.a) || poisoned(product.b))) found.push_back(number);
    if (number == source) poison(product.c);
    ++number;
  };
  watch_kernels(watcher, work);
  return found;
}

}  // namespace

Tensor random_input(Index rows, Index cols) {
  Tensor x = Tensor::uninitialised({rows, cols});
  const RandomStream random{1, hash("experiment")};
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
  }
  return x;
}

Work work_of(const LayerFunction& layer, const Tensor& x) {
  Work work;
  KernelWatcher watcher;
  watcher.product = [&](const SeenProduct& product) {
    work.multiply_adds += product.multiply_adds;
  };
  watcher.exponentials = [&](Index count) { work.exponentials += count; };
  watch_kernels(watcher, [&] {
    restart_peak();
    const Index before = tensor_bytes().now;
    const LayerRun run = layer(x);
    const Index y = run.y.elements() * static_cast<Index>(sizeof(Real));
    work.kept = tensor_bytes().now - before - y;
    work.peak = tensor_bytes().peak - before;
  });
  return work;
}

Index longest_chain(const std::function<void()>& work) {
  Index products = 0;
  KernelWatcher counter;
  counter.product = [&](const SeenProduct&) { ++products; };
  watch_kernels(counter, work);

  // length[i]: of the longest chain that ends in product i.
  std::vector<Index> length(static_cast<std::size_t>(products), 1);
  for (Index i = 0; i < products; ++i) {
    for (const Index later : products_after(work, i)) {
      Index& longest = length[static_cast<std::size_t>(later)];
      longest = std::max(longest, length[static_cast<std::size_t>(i)] + 1);
    }
  }
  return products == 0 ? 0 : *std::max_element(length.begin(), length.end());
}

Index layers_to_connect(const std::function<LayerFunction(Index)>& layers, Index n, Index d,
                        bool causal) {
  const Tensor input = random_input(n, d);
  std::vector<LayerFunction> stack;
  Index most = 0;
  for (Index source = 0; source < n; ++source) {
    Tensor x = input;
    std::fill_n(x.row(source), d, kPoison);
    for (Index layer = 0;; ++layer) {
      Index missed = 0;
      for (Index i = causal ? source : 0; i < x.rows(); ++i) missed += !std::isnan(x(i, 0));
      if (missed == 0) {
        most = std::max(most, layer);
        break;
      }
      ATTN_CHECK(layer < n, n, " layers do not connect input ", source, " with every output");
      if (layer == static_cast<Index>(stack.size())) stack.push_back(layers(layer));
      x = stack[static_cast<std::size_t>(layer)](x).y;
    }
  }
  return most;
}

}  // namespace attn
