#include "layers/dropout.h"

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

Tensor dropped(const DropoutMask& mask, Tensor x) {
  dropout(mask, x);
  return x;
}

Tensor ones(Index n) {
  Tensor x = Tensor::zeros({n});
  x.fill(1);
  return x;
}

Index zeros_in(const Tensor& x) {
  Index count = 0;
  for (Index i = 0; i < x.elements(); ++i) count += x[i] == 0;
  return count;
}

}  // namespace

TEST_SUITE("5.4 regularisation") {
  TEST_CASE("dropout zeroes a share p of the elements and multiplies the others by 1/(1 − p)") {
    for (const double p : {0.1, 0.3, 0.8}) {
      constexpr Index n = 20000;
      const Tensor y = dropped({p, {1, 2}}, ones(n));
      const Real kept = static_cast<Real>(1 / (1 - p));
      for (Index i = 0; i < n; ++i) CHECK((y[i] == 0 || y[i] == kept));
      // Five standard deviations of a binomial count.
      CHECK(std::abs(static_cast<double>(zeros_in(y)) - n * p) < 5 * std::sqrt(n * p * (1 - p)));
    }
  }

  TEST_CASE("p = 0, and dropout that is off, change nothing") {
    const Tensor x = random_tensor({100}, 1);
    CHECK(same(dropped({0, {1, 2}}, x), x));
    CHECK(same(dropped(DropoutMasks().next(0.5), x), x));
  }

  TEST_CASE("a mask can be computed again: in parts, in another order, on any number of threads") {
    const DropoutMask mask{0.3, {1, 2}};
    const Tensor x = random_tensor({20011}, 1);
    set_threads(4);
    const Tensor whole = dropped(mask, x);
    set_threads(1);
    CHECK(same(dropped(mask, x), whole));
    Tensor parts = x;
    for (Index end = x.elements(); end > 0; end -= std::min<Index>(end, 97)) {
      const Index first = end - std::min<Index>(end, 97);
      Tensor part = copy_of(ConstMatrixView(x.data() + first, 1, end - first, end - first));
      dropout(mask.from(first), part);
      std::copy_n(part.data(), part.elements(), parts.data() + first);
    }
    set_threads(2);
    CHECK(same(parts, whole));
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("C backpropagation") {
  TEST_CASE("dropout: the gradient is dropped where the value was, by finite differences") {
    const DropoutMask mask{0.3, {1, 2}};
    Tensor x = random_tensor({3, 11}, 1);
    const Tensor dy = random_tensor({3, 11}, 2);
    GradientCheck check;
    check.tensor("x", x, dropped(mask, dy));
    CHECK(check.errors([&] { return weighted_sum(dy, dropped(mask, x)); }) == "");
  }
}
#endif
