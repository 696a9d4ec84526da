// The layers of Table 1 against formulas that are written here once more.
#include "lab/benchmark/table1.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "support/strings.h"

namespace attn::test {

TEST_SUITE_BEGIN("4 why self-attention");

namespace {

std::map<std::string, ComparedLayer> layers_of(const LayerSize& size) {
  std::map<std::string, ComparedLayer> layers;
  for (const ComparedLayer& layer : compared_layers(size)) layers.emplace(layer.name, layer);
  return layers;
}

// Pairs of positions at most so far apart, counted one by one.
Index pairs_within(Index n, Index distance) {
  Index count = 0;
  for (Index t = 0; t < n; ++t) {
    for (Index s = 0; s < n; ++s) count += std::abs(t - s) <= distance ? 1 : 0;
  }
  return count;
}

Index rounded_up(Index a, Index b) {
  return (a + b - 1) / b;
}

const LayerSize kSizes[] = {{1, 8, 3, 5},  {2, 16, 5, 3},  {7, 8, 3, 9},    {16, 24, 1, 1},
                            {27, 8, 3, 3}, {28, 8, 3, 15}, {40, 40, 7, 31}, {64, 32, 9, 5}};

}  // namespace

TEST_CASE("multiply-adds of the layers are those of Table 1, with all factors") {
  for (const LayerSize& size : kSizes) {
    const Index n = size.n, d = size.d, k = size.k, r = size.r;
    CAPTURE(n);
    CAPTURE(d);
    const auto layers = layers_of(size);
    const auto counted = [&](const char* name) { return multiply_adds(layers.at(name)); };
    CHECK(layers.size() == 7);
    CHECK(counted("self-attention") == 2 * n * n * d + 4 * n * d * d);
    CHECK(counted("self-attention, restricted") == 2 * pairs_within(n, r / 2) * d + 4 * n * d * d);
    CHECK(counted("recurrent, RNN") == 2 * n * d * d);
    CHECK(counted("recurrent, LSTM") == 8 * n * d * d);
    CHECK(counted("convolution, contiguous") == k * n * d * d);
    CHECK(counted("convolution, dilated") == k * n * d * d);
    CHECK(counted("convolution, separable") == pairs_within(n, k / 2) * d + n * d * d);
  }
}

TEST_CASE("each weight of a counted layer is used once per token; attention has more products") {
  for (const LayerSize& size : kSizes) {
    const Index n = size.n, d = size.d, k = size.k, r = size.r;
    for (const auto& entry : layers_of(size)) {
      const auto& name = entry.first;
      const auto& layer = entry.second;
      CAPTURE(name);
      const Index with_weights = n * layer.weights, all = multiply_adds(layer);
      const Index pairs = name == "self-attention" ? n * n : pairs_within(n, r / 2);
      const bool attention = name.rfind("self-attention", 0) == 0;
      // Where a separable convolution's window leaves the sentence, its weights are not used.
      const bool separable = name == "convolution, separable";
      const Index unused = separable ? (n * k - pairs_within(n, k / 2)) * d : 0;
      CHECK(all == with_weights - unused + (attention ? 2 * pairs * d : 0));
      CHECK(layer.weights > 0);
    }
  }
}

TEST_CASE("longest paths are those of Table 1, with all factors") {
  for (const LayerSize& size : kSizes) {
    const Index n = size.n, k = size.k, r = size.r;
    if (k == 1 || n == 1) continue;
    CAPTURE(n);
    CAPTURE(k);
    const auto layers = layers_of(size);
    const auto path = [&](const char* name) { return layers.at(name).longest_path(); };
    CHECK(path("self-attention") == 1);
    CHECK(path("self-attention, restricted") == rounded_up(2 * (n - 1), r - 1));
    CHECK(path("recurrent, RNN") == n);
    CHECK(path("recurrent, LSTM") == n);
    CHECK(path("convolution, contiguous") == rounded_up(2 * (n - 1), k - 1));
    CHECK(path("convolution, separable") == rounded_up(2 * (n - 1), k - 1));
    Index dilated = 1;
    for (Index seen = k; seen < n; seen *= k) ++dilated;
    CHECK(path("convolution, dilated") == dilated);
  }
}

TEST_CASE("compared layers turn n vectors of width d into n others, and refuse other sizes") {
  for (const auto& entry : layers_of({5, 16, 3, 3})) {
    const auto& name = entry.first;
    const auto& layer = entry.second;
    CAPTURE(name);
    const Tensor y = layer.forward(random_input(5, 16));
    CHECK(y.shape() == Shape{5, 16});
    CHECK(is_finite(y));
  }
  CHECK_ERROR(compared_layers({5, 12, 3, 3}), "d is shared out among 8 heads, so it cannot be 12");
  CHECK_ERROR(compared_layers({5, 16, 4, 3}), Contains("no centre"));
  CHECK_ERROR(compared_layers({5, 16, 3, 2}), Contains("no centre"));
  // Windows of one position stay where they are.
  CHECK_ERROR(layers_of({5, 16, 1, 3}).at("convolution, dilated").longest_path(),
              Contains("connect it with no other"));
}

TEST_SUITE_END();

}  // namespace attn::test
