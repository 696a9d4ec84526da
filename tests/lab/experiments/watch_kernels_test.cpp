#include "lab/experiments/watch_kernels.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/check.h"
#include "base/parallel.h"
#include "kernels/each_isa.h"
#include "kernels/kernels.h"
#include "support/compare.h"

using namespace attn;
using namespace attn::test;

namespace {

struct Product {
  std::vector<Real> a, b, c;
  MatmulProblem problem;

  Product(Index m, Index n, Index k)
      : a(numbers(m * k, 1)), b(numbers(k * n, 2)), c(numbers(m * n, 3)) {
    problem = {m, n, k, {a.data(), k, 1}, {b.data(), n, 1}, c.data(), n};
  }
  Product(const Product&) = delete;
};

}  // namespace

TEST_SUITE("kernels: watching") {
  TEST_CASE("a watched product is reported once, with m·n·k multiply-adds, and has the same bits") {
    on_each_isa([] {
      Product plain(37, 150, 70), seen(37, 150, 70);
      matmul(plain.problem);
      int products = 0;
      KernelWatcher watcher;
      watcher.product = [&](const SeenProduct& product) {
        ++products;
        CHECK(product.multiply_adds == 37 * 150 * 70);
        CHECK(product.a.data == seen.a.data());
        CHECK(product.a.rows == 37);
        CHECK(product.a.cols == 70);
        CHECK(product.b.data == seen.b.data());
        CHECK(product.b.rows == 70);
        CHECK(product.b.cols == 150);
        CHECK(product.c.data == seen.c.data());
        CHECK(product.c.rows == 37);
        CHECK(product.c.cols == 150);
        CHECK(product.c.row_stride == 150);
        CHECK(same_bits(37 * 150, product.c.data, plain.c.data()));
      };
      watch_kernels(watcher, [&] { matmul(seen.problem); });
      CHECK(products == 1);
    });
  }

  TEST_CASE("products of vectors and exponentials are reported too") {
    std::vector<Real> a = numbers(9, 1), x = numbers(9, 2), y = numbers(9, 3);
    std::vector<Index> multiply_adds, exponentials, factors;
    KernelWatcher watcher;
    watcher.product = [&](const SeenProduct& product) {
      multiply_adds.push_back(product.multiply_adds);
      factors.push_back(product.a.rows * product.a.cols + product.b.rows * product.b.cols);
      CHECK(product.c.data == y.data());
    };
    watcher.exponentials = [&](Index n) { exponentials.push_back(n); };
    watch_kernels(watcher, [&] {
      kernels().vector_multiply_add(9, a.data(), x.data(), y.data());
      kernels().vector_axpy(8, 2, x.data(), y.data());
      kernels().softmax_row(7, 1, y.data());
      kernels().log_softmax_row(6, y.data());
      kernels().vector_exp(5, x.data(), y.data());
      kernels().vector_add(4, x.data(), y.data());
    });
    CHECK(multiply_adds == std::vector<Index>{9, 8});
    CHECK(factors == std::vector<Index>{18, 8});
    CHECK(exponentials == std::vector<Index>{7, 6, 5});
  }

  TEST_CASE("after watching, even if it ends in an exception, everything is as it was") {
    const auto before = kernels().matmul_simd;
    const auto exchanged = [&] { return kernels().matmul_simd != before; };
    const WithThreads two(2);
    CHECK_THROWS_AS(watch_kernels({},
                                  [&] {
                                    CHECK(exchanged());
                                    CHECK(threads() == 1);
                                    fail("on purpose");
                                  }),
                    Error);
    CHECK(!exchanged());
    CHECK(threads() == 2);
    bool ran = false;
    watch_kernels({}, [&] {
      ran = true;
      CHECK_THROWS_WITH_AS(watch_kernels({}, [] {}), "the kernels are being watched already",
                           Error);
      CHECK(exchanged());
    });
    CHECK(ran);
    CHECK(!exchanged());
  }
}
