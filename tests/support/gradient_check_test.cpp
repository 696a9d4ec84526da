// The judge is tested first: a gradient checker that accepts everything makes every test green.
#ifdef ATTENTION_DOUBLE

#include "support/gradient_check.h"

#include <doctest/doctest.h>

#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

// L(A, b, c) = Σ_ij sin(A_ij) b_j² + 0 · c, with a square A so that a transposed gradient fits.
struct Example {
  Tensor A = random_tensor({3, 3}, 1), b = random_tensor({3}, 2), c = random_tensor({2}, 3);
  Tensor dA = Tensor::zeros({3, 3}), db = Tensor::zeros({3}), dc = Tensor::zeros({2});

  Example() {
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) {
        dA(i, j) = std::cos(A(i, j)) * b[j] * b[j];
        db[j] += 2 * std::sin(A(i, j)) * b[j];
      }
    }
  }

  double loss() const {
    double sum = 0;
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) {
        sum += static_cast<double>(std::sin(A(i, j)) * b[j] * b[j]);
      }
    }
    return sum;
  }

  std::string errors() {
    GradientCheck check;
    check.tensor("A", A, dA);
    check.tensor("b", b, db);
    check.tensor("c", c, dc);
    return check.errors([&] { return loss(); });
  }
};

bool accuses(const std::string& errors, const std::string& name) {
  return errors.find(name + ": ") == 0 && errors.find('\n') == errors.size() - 1;
}

}  // namespace

TEST_SUITE("C backpropagation") {
  TEST_CASE("the gradient checker accepts the right gradient and leaves the tensors as they were") {
    Example example;
    const Tensor A = example.A;
    CHECK(example.errors() == "");
    CHECK(same(example.A, A));
  }

  TEST_CASE("the gradient checker rejects every wrong gradient, by its name") {
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    const auto rejected = [](const char* what, const char* name, const auto& change) {
      CAPTURE(what);
      Example example;
      change(example);
      CHECK(accuses(example.errors(), name));
    };
    const auto scaled = [](Real factor) {
      return [=](Example& e) {
        for (Index i = 0; i < 9; ++i) e.dA[i] *= factor;
      };
    };
    rejected("5 % too small", "A", scaled(Real(0.95)));
    rejected("off by a millionth", "A", scaled(Real(1 + 1e-6)));
    rejected("zeros", "A", scaled(0));
    for (Index i = 0; i < 9; ++i) rejected("a NaN", "A", [&](Example& e) { e.dA[i] = nan; });
    rejected("infinite", "c", [](Example& e) { e.dc[1] = HUGE_VAL; });
    rejected("transposed", "A", [](Example& e) { e.dA = transposed_copy(e.dA); });
    rejected("added twice", "b", [](Example& e) { add(Tensor(e.db), e.db); });
    rejected("of another shape", "A", [](Example& e) { e.dA = Tensor::zeros({9}); });
    rejected("none", "A", [](Example& e) { e.dA = Tensor(); });
  }

  TEST_CASE("the gradient checker rejects a loss that is NaN") {
    Example example;
    example.b[0] = std::numeric_limits<Real>::quiet_NaN();
    CHECK(example.errors() != "");
  }

  TEST_CASE("a gradient that is truly 0 may be off by a rounding error and no more") {
    Example example;
    example.dc[0] = Real(1e-12);
    CHECK(example.errors() == "");
    example.dc[0] = Real(1e-8);
    CHECK(accuses(example.errors(), "c"));
  }
}

#endif
