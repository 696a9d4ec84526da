#include "lab/experiments/work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "base/check.h"
#include "support/product.h"

using namespace attn;
using attn::test::product;

namespace {

// y_t = Σ of the x that are at most `reach` positions from t
LayerFunction neighbours(Index reach) {
  return [=](const Tensor& x) {
    Tensor y = Tensor::zeros(x.shape());
    for (Index t = 0; t < x.rows(); ++t) {
      for (Index s = std::max<Index>(0, t - reach); s <= std::min(x.rows() - 1, t + reach); ++s) {
        for (Index j = 0; j < x.cols(); ++j) y(t, j) += x(s, j);
      }
    }
    return LayerRun{y, nullptr};
  };
}

}  // namespace

TEST_SUITE("experiments") {
  TEST_CASE("the longest chain of products is found, whatever is between them") {
    const Tensor x = random_input(5, 5);
    CHECK(longest_chain([] {}) == 0);
    CHECK(longest_chain([&] {
            product(x, x);
            product(x, x);
            product(x, x);
          }) == 1);
    CHECK(longest_chain([&] {
            const Tensor a = product(x, x), b = product(x, x);
            product(a, b);
          }) == 2);
    CHECK(longest_chain([&] {
            Tensor y = x;
            for (int i = 0; i < 7; ++i) {
              y = product(x, y);
              for (Index j = 0; j < y.elements(); ++j) y[j] = y[j] * Real(0.5) + 1;
              product(x, x);
            }
          }) == 7);
  }

  TEST_CASE("what is added to a product makes it no longer a chain") {
    const Tensor x = random_input(3, 3);
    CHECK(longest_chain([&] {
            Tensor sum = Tensor::zeros({3, 3});
            for (int i = 0; i < 4; ++i) matmul(x, x, sum, Write::add);
          }) == 1);
  }

  TEST_CASE("layers connect all positions as soon as their reaches add up to the length") {
    for (const Index n : {1, 2, 7, 8}) {
      CAPTURE(n);
      CHECK(layers_to_connect([](Index) { return neighbours(1); }, n, 2) == n - 1);
      CHECK(layers_to_connect([](Index) { return neighbours(3); }, n, 2) == (n + 1) / 3);
      // 1 + 2 + 4 + … ≥ n − 1
      CHECK(layers_to_connect([](Index level) { return neighbours(Index{1} << level); }, n, 2) ==
            (n == 1   ? 0
             : n == 2 ? 1
                      : 3));
    }
    CHECK_THROWS_AS(layers_to_connect([](Index) { return neighbours(0); }, 3, 2), Error);
    // Two rows become one: 7, 4, 2, 1.
    const auto add_pairs = [](const Tensor& x) {
      Tensor y = Tensor::zeros({(x.rows() + 1) / 2, x.cols()});
      for (Index t = 0; t < x.rows(); ++t) y(t / 2, 0) += x(t, 0);
      return LayerRun{y, nullptr};
    };
    CHECK(layers_to_connect([=](Index) { return add_pairs; }, 7, 2) == 3);
    // The first is not asked for what is after it.
    const auto add_the_one_before = [](const Tensor& x) {
      Tensor y = x;
      for (Index t = 1; t < x.rows(); ++t) y(t, 0) += x(t - 1, 0);
      return LayerRun{y, nullptr};
    };
    CHECK(layers_to_connect([=](Index) { return add_the_one_before; }, 6, 2, true) == 5);
    CHECK_THROWS_AS(layers_to_connect([=](Index) { return add_the_one_before; }, 6, 2), Error);
  }

  TEST_CASE("kept is what is left beside x and y, peak what there was at most") {
    const Tensor x = random_input(3, 4);
    const Work work = work_of(
        [](const Tensor& input) {
          { const Tensor temporary = Tensor::zeros({100}); }
          const auto kept = std::make_shared<Tensor>(Tensor::zeros({10}));
          return LayerRun{input, kept};
        },
        x);
    CHECK(work.kept == 10 * sizeof(Real));
    CHECK(work.peak == 100 * sizeof(Real));
    CHECK(work.multiply_adds == 0);
    CHECK(work.exponentials == 0);
  }
}
