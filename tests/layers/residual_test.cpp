#include "layers/residual.h"

#include <doctest/doctest.h>

#include "layers/linear.h"
#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

// A residual connection around a linear layer: any sub-layer would do.
struct WithResidual {
  Linear linear{5, 5, true};
  Residual residual;

  WithResidual(NormPlacement placement, double p_drop) : residual(5, placement, p_drop) {
    randomise(linear, 1);
    randomise(residual, 2);
  }

  Tensor forward(const Tensor& x, const Pass& pass, Residual::Cache& cache) const {
    return residual.after(linear.forward(residual.before(x, pass, cache)), pass, cache);
  }
  Tensor forward(const Tensor& x, const Pass& pass = {}) const {
    Residual::Cache unused;
    return forward(x, pass, unused);
  }
  Tensor backward(const Tensor& dy, const Pass& pass, const Residual::Cache& cache) {
    auto [around, df] = residual.after_backward(dy, pass, cache);
    return residual.before_backward(linear.backward(df, cache.u), std::move(around), pass, cache);
  }
  void visit(const std::string& name, const ParameterVisitor& visitor) {
    linear.visit(name + ".linear", visitor);
    residual.visit(name + ".norm", visitor);
  }

  Tensor normalised(const Tensor& x) const {
    LayerNorm::Cache unused;
    return residual.norm.forward(x, Pass(), unused);
  }
};

}  // namespace

TEST_SUITE("3.1 stacks") {
  TEST_CASE("the paper normalises after the sum: LayerNorm(x + Sublayer(x))") {
    const WithResidual example(NormPlacement::post, 0.3);
    const Tensor x = random_tensor({3, 5}, 1);
    const Tensor f = example.linear.forward(x);
    CHECK(same(example.forward(x), example.normalised(sum_of(f, x))));
  }
}

TEST_SUITE("5.4 regularisation") {
  TEST_CASE("dropout falls on the sub-layer's output, before it is added and normalised") {
    const Tensor x = random_tensor({3, 5}, 1);
    DropoutMasks masks(3, 4);
    const DropoutMask mask = masks.next(0.3);
    for (const NormPlacement placement : {NormPlacement::post, NormPlacement::pre}) {
      const WithResidual example(placement, 0.3);
      const bool post = placement == NormPlacement::post;
      Tensor f = example.linear.forward(post ? x : example.normalised(x));
      dropout(mask, f);
      const Tensor sum = sum_of(f, x);
      CHECK(same(example.forward(x, DropoutMasks(3, 4)), post ? example.normalised(sum) : sum));
    }
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("C backpropagation") {
  TEST_CASE("residual: all gradients agree with finite differences, both ways, with dropout") {
    for (const NormPlacement placement : {NormPlacement::post, NormPlacement::pre}) {
      for (const double p : {0.0, 0.3}) {
        WithResidual example(placement, p);
        Tensor x = random_tensor({3, 5}, 1);
        const std::string errors = layer_errors<Residual::Cache>(
            example, [&](const Pass& pass, auto& cache) { return example.forward(x, pass, cache); },
            [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
              check.tensor("x", x, example.backward(dy, pass, cache));
            });
        CHECK(errors == "");
      }
    }
  }
}
#endif
