// The output projection with its loss, its matrix its own or that of the embedding.
#include "layers/output_projection.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

// The projection, and an embedding whose matrix is shared with it or has nothing to do with it.
struct Example {
  Embedding embedding;
  OutputProjection projection;
  double epsilon = 0.1;

  Example(Index d_model, Index vocabulary, bool shared) : embedding(vocabulary, d_model) {
    if (!shared) projection = OutputProjection(d_model, vocabulary);
    randomise(*this, 1);
  }
  void visit(const std::string& name, const ParameterVisitor& visitor) {
    embedding.visit(name + ".embedding", visitor);
    projection.visit(name + ".projection", visitor);
  }
  LossSums loss(const Tensor& h, const std::vector<int>& targets, const Pass& pass = {}) const {
    return projection.loss(h, embedding, targets, epsilon, pass);
  }
  LossSums loss_and_gradients(const Tensor& h, const std::vector<int>& targets, Real scale,
                              Tensor& dh, const Pass& pass = {}) {
    return projection.loss_and_gradients(h, embedding, targets, epsilon, scale, pass, dh);
  }
};

// A vocabulary of which only 20 rows of logits are in memory at once, and tokens for three parts.
constexpr Index kLarge = 400000, kTokens = 47;

std::vector<int> large_targets() {
  std::vector<int> targets;
  for (int t = 0; t < kTokens; ++t) targets.push_back(t * 8009);
  return targets;
}

Tensor some_rows(const Tensor& x, Index begin, Index end) {
  return copy_of(rows_of(x, begin, end));
}

}  // namespace

TEST_SUITE("3.4 embeddings and softmax") {
  TEST_CASE("targets of another number, and a matrix that is absent or does not fit, are errors") {
    Example example(4, 7, true);
    const Tensor h = random_tensor({3, 4}, 2);
    Tensor dh;
    CHECK_THROWS_AS(example.loss(h, {1, 2}), Error);
    CHECK_THROWS_AS(example.loss_and_gradients(h, {1, 2, 3, 4}, 1, dh), Error);
    CHECK_THROWS_AS(example.loss(random_tensor({3, 5}, 2), {1, 2, 3}), Error);
    example.embedding = {};
    CHECK_THROWS_AS(example.loss(h, {1, 2, 3}), Error);
    CHECK_THROWS_AS(example.loss(Tensor::zeros({3, 0}), {1, 2, 3}), Error);
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("logits of a large vocabulary are computed in parts, which add up") {
    const Tensor h = random_tensor({kTokens, 3}, 2);
    const std::vector<int> targets = large_targets();
    for (const bool shared : {true, false}) {
      Example whole(3, kLarge, shared), parts = whole;
      Tensor dh;
      const LossSums sums = whole.loss_and_gradients(h, targets, Real(0.25), dh);
      CHECK(whole.loss(h, targets).loss == sums.loss);

      // Ten tokens at a time, each fewer than a part has room for.
      LossSums added;
      for (Index begin = 0; begin < kTokens; begin += 10) {
        const Index end = std::min(begin + 10, kTokens);
        Tensor dh_part;
        added += parts.loss_and_gradients(some_rows(h, begin, end),
                                          {targets.begin() + begin, targets.begin() + end},
                                          Real(0.25), dh_part);
        CHECK(same(dh_part, some_rows(dh, begin, end)));
      }
      CHECK(sums.tokens == kTokens);
      CHECK(sums.tokens == added.tokens);
      CHECK(sums.loss == doctest::Approx(added.loss).epsilon(1e-9));
      const auto gradient = [&](const Example& example) -> const Tensor& {
        return shared ? example.embedding.weight.gradient : example.projection.weight.gradient;
      };
      CHECK(relative_error(gradient(whole), gradient(parts)) <= (sizeof(Real) == 8 ? 1e-14 : 1e-6));
      if (!shared) CHECK(sum_of_squares(whole.embedding.weight.gradient) == 0);
    }
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("output projection: dh and dW, or dE, agree with finite differences") {
    for (const bool shared : {true, false}) {
      for (const double epsilon : {0.0, 0.1}) {
        CAPTURE(shared);
        Example example(4, 7, shared);
        example.epsilon = epsilon;
        Tensor h = random_tensor({6, 4}, 2), dh;
        const std::vector<int> targets = {3, 0, 6, 6, 2, 5};
        example.loss_and_gradients(h, targets, 0.25, dh);
        GradientCheck check;
        check.tensor("h", h, dh);
        check.parameters("example", example);
        CHECK(check.errors([&] { return 0.25 * example.loss(h, targets).loss; }) == "");
      }
    }
  }
#endif
}
