#include "lab/predecessors/gated_convolution.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("2 background: ConvS2S") {
  TEST_CASE("a gated linear unit by hand: σ(0) = ½, σ(ln 3) = ¾, σ(−ln 3) = ¼") {
    const double ln3 = std::log(3.0);
    const Tensor x = tensor_of({2, 6}, {8, 8, 8, 0, ln3, -ln3, 1, 2, 3, 1000, -1000, 0});
    const Tensor y = gated_linear_unit(x);
    const double expected[] = {4, 6, 2, 1, 0, 1.5};  // far away the gate is open or closed, not NaN
    for (Index i = 0; i < 6; ++i) {
      CHECK(static_cast<double>(y[i]) == doctest::Approx(expected[i]).epsilon(1e-6));
    }
    CHECK(is_finite(gated_linear_unit_backward(y, x)));
    CHECK_THROWS_AS(gated_linear_unit(Tensor::zeros({2, 5})), Error);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("gated linear unit: dx agrees with finite differences") {
    Tensor x = random_tensor({37, 10}, 1, 2);  // more rows than one task has
    const Tensor dy = random_tensor({37, 5}, 2);
    const Tensor dx = gated_linear_unit_backward(dy, x);
    GradientCheck check;
    check.tensor("x", x, dx);
    CHECK(check.errors([&] { return weighted_sum(dy, gated_linear_unit(x)); }) == "");
  }
#endif
}
