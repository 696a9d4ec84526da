// A layer is run once at each size while the kernels are watched (work.h).
#include "lab/experiments/table1.h"

#include "base/check.h"
#include "lab/benchmark/timing.h"

namespace attn {

namespace {

using Variants = std::vector<std::pair<std::string, ShortTrial>>;

Index multiply_adds(const ComparedLayer& layer, Index n, Index d) {
  return work_of(layer.make({d, n, layer.window}), random_input(n, d)).multiply_adds;
}

// The greatest n with cost(one) ≤ cost(other): the difference grows with n, from some n on.
Index crossing(const ComparedLayer& one, const ComparedLayer& other, Index d) {
  const auto no_more = [&](Index n) {
    return multiply_adds(one, n, d) <= multiply_adds(other, n, d);
  };
  if (!no_more(1)) return 0;
  Index low = 1, high = 2;
  while (no_more(high)) {
    low = high;
    high *= 2;
    ATTN_CHECK(high <= 64 * d, one.name, " costs no more than ", other.name,
               " at any length tried");
  }
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (no_more(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

Table1Grid table1_grid(bool quick) {
  if (quick) return {{32, 64}, {16, 32}, {4, 8}, {16}, {3, 5}};
  return {{128, 256, 512, 1024},
          {64, 128, 256, 512},
          {8, 16, 32, 64},
          {32, 64, 128},
          {3, 5, 9, 17, 31, 65, 255}};
}

Index middle(const std::vector<Index>& sizes) {
  return sizes.at((sizes.size() - 1) / 2);
}

Experiment table1_work(const Table1Grid& grid, bool timed) {
  Variants variants;
  for (const ComparedLayer& kind : compared_layers()) {
    const auto add = [&](const LayerSize& size, const std::string& rest) {
      const std::string name = text(kind.name, " n=", size.n, " d=", size.d, rest);
      variants.emplace_back(name, [=](std::uint64_t) {
        const LayerFunction layer = kind.make(size);
        const Tensor x = random_input(size.n, size.d);
        const Work work = work_of(layer, x);
        const double seconds = timed ? seconds_of([&] { layer(x); }) : 0;
        return std::vector{to_double(work.multiply_adds), to_double(work.exponentials),
                           to_double(work.kept), to_double(work.peak), seconds};
      });
    };
    for (const Index d : grid.d) {
      for (const Index n : grid.n) add({d, n, kind.window}, "");
    }
    if (kind.window == 0) continue;
    for (const Index window : grid.windows) {
      add({middle(grid.d), middle(grid.n), window}, text(" window=", window));
    }
  }
  return short_experiment(variants, {1},
                          {"multiply_adds", "exponentials", "kept", "peak", "seconds"});
}

Experiment table1_depth(const Table1Grid& grid) {
  Variants variants;
  for (const ComparedLayer& kind : compared_layers()) {
    const auto add = [&](const LayerSize& size, const std::string& rest) {
      variants.emplace_back(text(kind.name, " n=", size.n, rest), [=](std::uint64_t) {
        const LayerFunction layer = kind.make(size);
        const Tensor x = random_input(size.n, size.d);
        return std::vector{to_double(longest_chain([&] { layer(x); })),
                           to_double(kind.measure_path(size))};
      });
    };
    for (const Index n : grid.depth_n) add({kDepthWidth, n, kind.window}, "");
    if (kind.window == 0) continue;
    for (const Index window : grid.windows) {
      add({kDepthWidth, grid.depth_n.back(), window}, text(" window=", window));
    }
  }
  return short_experiment(variants, {1}, {"steps", "path"});
}

Experiment table1_crossings(const Table1Grid& grid) {
  Variants variants;
  for (const char* attention : {"bare-attention", "attention"}) {
    for (const char* other : {"RNN", "LSTM", "convolution"}) {
      for (const Index d : grid.crossing_d) {
        variants.emplace_back(text(attention, ' ', other, " d=", d), [=](std::uint64_t) {
          return std::vector{
              to_double(crossing(compared_layer(attention), compared_layer(other), d))};
        });
      }
    }
  }
  return short_experiment(variants, {1}, {"n"});
}

}  // namespace attn
