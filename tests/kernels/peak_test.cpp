#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <vector>

#include "kernels/each_isa.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("kernels: peak") {
  TEST_CASE("the multiply-adds are done: every chain x/2 + 1 ends at 2") {
    on_each_isa([] {
      Real sink = 0;
      const double operations = kernels().peak_multiply_adds(100, &sink);
      CHECK(sink == doctest::Approx(2 * 12));
      // Two for each of 12 chains and each lane of a vector.
      CHECK(operations >= 100 * 2 * 12 * 16 / static_cast<double>(sizeof(Real)));
      CHECK(kernels().peak_multiply_adds(300, &sink) == 3 * operations);
    });
  }

  TEST_CASE("the stream reads every number") {
    on_each_isa([] {
      for (const Index n : {0, 1, 15, 16, 17, 63, 64, 65, 127, 130, 1000}) {
        CAPTURE(n);
        const std::vector<Real> x = numbers(n, 1);
        double sum = 0;
        for (const Real value : x) sum += static_cast<double>(value);
        CHECK(static_cast<double>(kernels().stream_sum(n, x.data())) ==
              doctest::Approx(sum).epsilon(1e-4).scale(10));
      }
    });
  }
}
