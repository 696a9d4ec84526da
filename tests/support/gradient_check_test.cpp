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

  TEST_CASE("the gradient checker rejects a gradient that is 5 % too small") {
    Example example;
    for (Index i = 0; i < 9; ++i) example.dA[i] *= Real(0.95);
    CHECK(accuses(example.errors(), "A"));
  }

  TEST_CASE("the gradient checker rejects a gradient that is off by a millionth") {
    Example example;
    for (Index i = 0; i < 9; ++i) example.dA[i] *= Real(1 + 1e-6);
    CHECK(accuses(example.errors(), "A"));
  }

  TEST_CASE("the gradient checker rejects a NaN, wherever it is") {
    for (Index i = 0; i < 9; ++i) {
      Example example;
      example.dA[i] = std::numeric_limits<Real>::quiet_NaN();
      CHECK(accuses(example.errors(), "A"));
    }
    Example example;
    example.dc[1] = std::numeric_limits<Real>::infinity();
    CHECK(accuses(example.errors(), "c"));
  }

  TEST_CASE("the gradient checker rejects a loss that is NaN") {
    Example example;
    example.b[0] = std::numeric_limits<Real>::quiet_NaN();
    CHECK(example.errors() != "");
  }

  TEST_CASE("the gradient checker rejects a gradient of zeros") {
    Example example;
    example.dA.fill(0);
    CHECK(accuses(example.errors(), "A"));
  }

  TEST_CASE("the gradient checker rejects a transposed gradient") {
    Example example;
    example.dA = transposed_copy(example.dA);
    CHECK(accuses(example.errors(), "A"));
  }

  TEST_CASE("the gradient checker rejects a gradient that was added twice") {
    Example example;
    add(Tensor(example.db), example.db);
    CHECK(accuses(example.errors(), "b"));
  }

  TEST_CASE("the gradient checker rejects a gradient of another shape, or none") {
    Example example;
    example.dA = Tensor::zeros({9});
    CHECK(accuses(example.errors(), "A"));
    example.dA = Tensor();
    CHECK(accuses(example.errors(), "A"));
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
