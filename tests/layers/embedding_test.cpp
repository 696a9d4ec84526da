#include "layers/embedding.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

namespace {

double deviation(const Tensor& x) {
  return std::sqrt(sum_of_squares(x) / static_cast<double>(x.elements()));
}

// E [V, d_model] as a fresh model has it.
Embedding fresh(Index vocabulary, Index d_model) {
  Embedding embedding(vocabulary, d_model);
  embedding.visit("embedding", [](const std::string& name, Parameter& p) {
    initialise(name, p, 1);
    p.gradient = Tensor::zeros(p.value.shape());
  });
  return embedding;
}

}  // namespace

TEST_SUITE("3.4 embeddings and softmax") {
  TEST_CASE("an embedding is a row of E times √d_model, exactly 2 at d_model = 4") {
    const Embedding embedding = fresh(7, 4);
    const Tensor e = embedding.forward({3, 0, 3});
    REQUIRE(e.shape() == Shape{3, 4});
    for (Index j = 0; j < 4; ++j) {
      CHECK(e(0, j) == 2 * embedding.weight.value(3, j));
      CHECK(e(1, j) == 2 * embedding.weight.value(0, j));
      CHECK(e(2, j) == e(0, j));
    }
  }

  TEST_CASE("E ~ N(0, 1/d_model) makes unit-scale inputs and unit-scale logits") {
    constexpr Index d = 512, V = 400;
    const Embedding embedding = fresh(V, d);
    std::vector<int> ids;
    for (int id = 0; id < V; ++id) ids.push_back(id);
    CHECK(deviation(embedding.weight.value) * std::sqrt(512.0) == doctest::Approx(1).epsilon(0.01));
    CHECK(deviation(embedding.forward(ids)) == doctest::Approx(1).epsilon(0.01));

    // Logits of rows that have mean 0 and variance 1, as layer norm leaves them.
    const Tensor h = random_tensor({50, d}, 3);
    Tensor logits = Tensor::uninitialised({50, V});
    matmul(h, transposed(embedding.weight.value), logits);
    CHECK(deviation(logits) == doctest::Approx(0.99).epsilon(0.03));
    // With E ~ N(0, 1) they would be √512 = 22.6 times as large, and softmax would be saturated.
  }

  TEST_CASE("an id outside the vocabulary is an error that names both") {
    const Embedding embedding = fresh(7, 4);
    CHECK_ERROR(embedding.forward({1, 7}), "token id 7 is not in a vocabulary of 7");
    CHECK_ERROR(embedding.forward({-1}), "token id -1 is not in a vocabulary of 7");
    CHECK(embedding.forward({}).rows() == 0);
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("embedding: ids and gradients that do not fit are refused, and write nothing") {
    Embedding embedding = fresh(5, 4);
    const Tensor de = random_tensor({2, 4}, 2);
    CHECK_ERROR(embedding.backward(de, {1, 5}), "token id 5 is not in a vocabulary of 5");
    CHECK_ERROR(embedding.backward(de, {1, -1}), "token id -1 is not in a vocabulary of 5");
    CHECK_THROWS_AS(embedding.backward(de, {1}), Error);
    CHECK_THROWS_AS(embedding.backward(random_tensor({2, 3}, 2), {1, 2}), Error);
    CHECK(sum_of_squares(embedding.weight.gradient) == 0);
    Embedding without_gradient(5, 4);
    CHECK_ERROR(without_gradient.backward(de, {1, 2}),
                "a parameter of shape [5, 4] has a gradient of shape []: call "
                "zero_gradients before the first backward pass");
  }

  TEST_CASE("embedding: the gradient is multiplied by √d_model, and repeated tokens collect") {
    Embedding embedding = fresh(5, 4);
    Tensor de = Tensor::zeros({3, 4});
    de.fill(1);
    embedding.backward(de, {2, 0, 2});
    for (Index j = 0; j < 4; ++j) {
      CHECK(embedding.weight.gradient(0, j) == 2);
      CHECK(embedding.weight.gradient(1, j) == 0);
      CHECK(embedding.weight.gradient(2, j) == 4);
    }
    embedding.backward(de, {2, 0, 2});
    CHECK(embedding.weight.gradient(2, 3) == 8);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("embedding: dE agrees with finite differences, repeated tokens included") {
    for (const Index d_model : {3, 300}) {  // 300 columns are more than one task's
      Embedding embedding = fresh(5, d_model);
      const std::vector<int> ids = {4, 1, 1, 0, 1, 4, 2};
      const Tensor de = random_tensor({7, d_model}, 2);
      embedding.backward(de, ids);
      GradientCheck check;
      check.parameters("embedding", embedding);
      CHECK(check.errors([&] { return weighted_sum(de, embedding.forward(ids)); }) == "");
    }
  }
#endif
}
