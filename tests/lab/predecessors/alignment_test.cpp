// Attention before the paper: additive, general and dot.
#include "lab/predecessors/alignment.h"

#include <doctest/doctest.h>

#include "lab/predecessors/additive_attention.h"
#include "support/gradient_check.h"
#include "support/plain_attention.h"

using namespace attn;
using namespace attn::test;

namespace {

using Kind = Alignment::Kind;

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
    for (const Kind kind : {Kind::additive, Kind::general, Kind::dot}) {
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
