// Attention before the paper: additive, general and dot.
#include "lab/predecessors/alignment.h"

#include <doctest/doctest.h>

#include <cmath>

#include "lab/predecessors/additive_attention.h"
#include "layers/attention.h"
#include "support/gradient_check.h"
#include "support/plain_attention.h"

using namespace attn;
using namespace attn::test;

namespace {

using Kind = Alignment::Kind;
constexpr Kind kKinds[] = {Kind::additive, Kind::general, Kind::dot};

// Queries, and memories of two sentences (of 3 and of 4 tokens, the other one's first), that 2 and
// 3 queries look at. All widths are different where they may be.
struct Example {
  Kind kind;
  Index d_q, d_k;
  Alignment layer;
  Tensor x, z;
  Looks looks{{0, 2, 4, 3, 0}, {2, 3, 0, 4, 6}};

  explicit Example(Kind which)
      : kind(which),
        d_q(3),
        d_k(which == Kind::dot ? 3 : 5),
        layer(which, d_q, d_k, 4),
        x(random_tensor({5, d_q}, 1)),
        z(random_tensor({7, d_k}, 2)) {
    randomise(layer, 3);
  }

  Tensor context(Tensor& P) const {
    return layer.forward(layer.queries_of(x), {layer.keys_of(z), z, looks}, {}, P);
  }
};

}  // namespace

TEST_SUITE("2 predecessors") {
  TEST_CASE("additive attention is a network on [q; k]: its matrix split is the same scores") {
    Example example(Kind::additive);
    const Alignment& layer = example.layer;
    Tensor W = Tensor::zeros({8, 4});
    std::copy_n(layer.query.weight.value.data(), 12, W.data());
    std::copy_n(layer.key.weight.value.data(), 20, W.row(3));
    Tensor S = Tensor::zeros({5, 7});
    additive_scores(layer.queries_of(example.x), layer.keys_of(example.z), layer.v.value.data(), S);
    CHECK(relative_error(S, mlp_scores(example.x, example.z, W, layer.v.value)) <= kRounding);
  }

  TEST_CASE("by hand: additive scores of one query and two keys") {
    const Tensor Q = tensor_of({1, 2}, {0.5, -1}), K = tensor_of({2, 2}, {0.5, 1, -0.5, 3});
    const Tensor v = tensor_of({2}, {2, 10});
    Tensor S = Tensor::zeros({1, 2});
    additive_scores(Q, K, v.data(), S);
    CHECK(static_cast<double>(S[0]) == doctest::Approx(2 * std::tanh(1.0)).epsilon(kRounding));
    CHECK(static_cast<double>(S[1]) == doctest::Approx(10 * std::tanh(2.0)).epsilon(kRounding));
  }

  TEST_CASE("dot is the paper's attention without 1/√d_k; general is dot with a projected query") {
    const Example dot(Kind::dot), general(Kind::general);
    for (const Example* example : {&dot, &general}) {
      Tensor P, weights = Tensor::zeros({2, 3}), O = Tensor::zeros({2, example->d_k});
      const Tensor C = example->context(P);
      Tensor Q = example->layer.queries_of(copy_of(rows_of(example->x, 0, 2)));
      for (Index i = 0; i < Q.elements(); ++i) Q[i] *= std::sqrt(static_cast<Real>(Q.cols()));
      const Tensor K = copy_of(rows_of(example->z, 4, 7));
      attention_forward(Q, K, K, {}, {}, weights, O);
      CHECK(relative_error(copy_of(rows_of(C, 0, 2)), O) <= kRounding);
    }
  }

  TEST_CASE("weights are positive and add up to 1, whatever the kind of score") {
    for (const Kind kind : kKinds) {
      const Example example(kind);
      Tensor P;
      example.context(P);
      REQUIRE(P.elements() == 2 * 3 + 3 * 4);
      for (Index i = 0; i < P.elements(); ++i) CHECK(P[i] > 0);
      CHECK(static_cast<double>(P[0] + P[1] + P[2]) == doctest::Approx(1));
      CHECK(static_cast<double>(P[14] + P[15] + P[16] + P[17]) == doctest::Approx(1));
    }
  }

  TEST_CASE("every kind of score: one query at a time, the same bits") {
    for (const Kind kind : kKinds) {
      const Example example(kind);
      Tensor P, one_P;
      const Tensor C = example.context(P);
      const Tensor K = example.layer.keys_of(example.z);
      for (Index i = 2; i < 5; ++i) {
        const Tensor q = example.layer.queries_of(copy_of(rows_of(example.x, i, i + 1)));
        const Tensor c = example.layer.forward(q, {K, example.z, {{0, 1, 0, 4}}}, {}, one_P);
        CHECK(same(c, copy_of(rows_of(C, i, i + 1))));
      }
    }
  }

  TEST_CASE("scores of queries and keys that do not fit each other are an error") {
    const Tensor v = Tensor::zeros({4});
    Tensor S = Tensor::zeros({2, 3});
    CHECK_THROWS_AS(additive_scores(Tensor::zeros({2, 4}), Tensor::zeros({3, 5}), v.data(), S),
                    Error);
    CHECK_THROWS_AS(additive_scores(Tensor::zeros({2, 4}), Tensor::zeros({2, 4}), v.data(), S),
                    Error);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("every kind of alignment: all gradients agree with finite differences") {
    for (const Kind kind : kKinds) {
      CAPTURE(static_cast<int>(kind));
      Example example(kind);
      const Tensor dC = random_tensor({5, example.d_k}, 4);
      Tensor P;
      example.context(P);
      Alignment& layer = example.layer;
      const Tensor Q = layer.queries_of(example.x), K = layer.keys_of(example.z);
      Tensor dK = Tensor::zeros(K.shape()), dz = Tensor::zeros(example.z.shape());
      const Tensor dQ = layer.backward(dC, Q, {K, example.z, example.looks}, Pass(), P, dK, dz);
      const Tensor dx = layer.queries_backward(dQ, example.x);
      layer.keys_backward(dK, example.z, dz);
      GradientCheck check;
      check.tensor("x", example.x, dx);
      check.tensor("z", example.z, dz);
      check.parameters("layer", layer);
      CHECK(check.errors([&] {
        Tensor unused;
        return weighted_sum(dC, example.context(unused));
      }) == "");
    }
  }
#endif
}
