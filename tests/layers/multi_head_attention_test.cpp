#include "layers/multi_head_attention.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"
#include "support/product.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

namespace {

// Every size a different number: d_model = 5, h = 3, d_k = 2, d_v = 4; two sentences.
constexpr Index kModel = 5, kHeads = 3, kDk = 2, kDv = 4;
const Offsets kQueries = {0, 3, 4}, kKeys = {0, 1, 7};

MultiHeadAttention random_attention(bool biases, double weights_dropout) {
  MultiHeadAttention layer(kModel, kHeads, kDk, kDv, biases, weights_dropout);
  randomise(layer, 1);
  return layer;
}

// Four words of two sentences look at seven others.
struct Between {
  Tensor x = random_tensor({4, kModel}, 2), memory = random_tensor({7, kModel}, 3);
  AttentionPattern pattern = sentence_by_sentence(kQueries, kKeys, Mask::none);
  MultiHeadAttention::Cache cache;
  Tensor dx = Tensor::zeros(x.shape()), dmemory = Tensor::zeros(memory.shape());
};

Tensor forward(const MultiHeadAttention& layer, const Tensor& x, const Offsets& offsets,
               const Tensor& memory, const Offsets& memory_offsets, const Pass& pass = {}) {
  MultiHeadAttention::Cache unused;
  return layer.forward(x, memory, sentence_by_sentence(offsets, memory_offsets, Mask::none), pass,
                       unused);
}

}  // namespace

TEST_SUITE("3.2.2 multi-head attention") {
  TEST_CASE("offsets and widths that do not fit are refused, forward and backward") {
    MultiHeadAttention layer = random_attention(true, 0);
    Between b;
    const Pass pass{DropoutMasks()};
    layer.forward(b.x, b.memory, b.pattern, pass, b.cache);
    for (const Offsets& wrong : {Offsets{}, Offsets{0, 3, 3}, Offsets{0, 3, 5}, Offsets{1, 3, 4},
                                 Offsets{0, 5, 4}, Offsets{0, 4}}) {
      CHECK_THROWS_AS(forward(layer, b.x, wrong, b.memory, kKeys), Error);
    }
    CHECK_THROWS_AS(forward(layer, b.x, kQueries, b.memory, {0, 1, 6}), Error);
    CHECK_ERROR(forward(layer, b.x, {0, 5, 4}, b.memory, kKeys),
                "the offsets of sentences ascend, but 4 follows 5");
    CHECK_ERROR(forward(layer, b.x, {2, 3, 4}, b.memory, kKeys),
                "the offsets of sentences begin with 0, not 2");
    CHECK_ERROR(forward(layer, b.x, {}, b.memory, {}),
                "the offsets of sentences begin with 0, but there are none");
    const Tensor narrow = random_tensor({4, 3}, 2);
    CHECK_THROWS_AS(forward(layer, b.x, {0, 4}, b.x, {0, 2, 4}), Error);
    CHECK_THROWS_AS(forward(layer, b.x, {0, 4}, narrow, {0, 4}), Error);
    // Backward refuses sentences that forward cut elsewhere.
    for (const AttentionPattern& other : {sentence_by_sentence({0, 4}, {0, 7}, Mask::none),
                                          sentence_by_sentence({0, 3, 3}, kKeys, Mask::none)}) {
      CHECK_THROWS_AS(layer.backward(b.x, b.x, b.memory, other, pass, b.cache, b.dx, b.dmemory),
                      Error);
    }
    // Queries without keys have no weights, whose number would tell.
    const Tensor none = Tensor::zeros({0, kModel});
    layer.forward(b.x, none, sentence_by_sentence({0, 4}, {0, 0}, Mask::none), pass, b.cache);
    CHECK_ERROR(layer.backward(b.x, b.x, none, sentence_by_sentence({0, 3}, {0, 0}, Mask::none),
                               pass, b.cache, b.dx, b.dmemory),
                Contains("rows of queries"));
  }

  TEST_CASE("a big for-loop over self-attention, then Concat, then W^O") {
    const MultiHeadAttention layer = random_attention(false, 0);
    const Tensor x = random_tensor({6, kModel}, 2);
    const Tensor y = forward(layer, x, {0, 6}, x, {0, 6});

    // head_i = Attention(x W^Q_i, x W^K_i, x W^V_i), each with matrices of its own.
    Tensor concat = Tensor::zeros({6, kHeads * kDv});
    for (Index i = 0; i < kHeads; ++i) {
      const Tensor Q = product(x, block(layer.query.weight.value, 0, kModel, i * kDk, kDk));
      const Tensor K = product(x, block(layer.key.weight.value, 0, kModel, i * kDk, kDk));
      const Tensor V = product(x, block(layer.value.weight.value, 0, kModel, i * kDv, kDv));
      Tensor P = Tensor::zeros({6, 6}), head = Tensor::zeros({6, kDv});
      attention_forward(Q, K, V, {}, {}, P, head);
      for (Index t = 0; t < 6; ++t) {
        for (Index c = 0; c < kDv; ++c) concat(t, i * kDv + c) = head(t, c);
      }
    }
    CHECK(same(product(concat, layer.output.weight.value), y));
  }
}

TEST_SUITE("5.4 regularisation") {
  TEST_CASE("every weight of every head and sentence has a dropout decision of its own") {
    const MultiHeadAttention layer = random_attention(false, 0.3);
    const Tensor x = random_tensor({6, kModel}, 2);
    const Offsets two = {0, 3, 6};
    Tensor twice = x;  // the same sentence two times
    for (Index i = 0; i < 3 * kModel; ++i) twice[3 * kModel + i] = x[i];
    const Tensor y = forward(layer, twice, two, twice, two, DropoutMasks(1, 1));
    Index different = 0;
    for (Index i = 0; i < 3 * kModel; ++i) different += y[i] != y[3 * kModel + i];
    CHECK(different > 2 * kModel);
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("C backpropagation") {
  TEST_CASE("multi-head attention between two inputs: all gradients agree with differences") {
    for (const bool biases : {false, true}) {
      for (const double p : {0.0, 0.3}) {
        MultiHeadAttention layer = random_attention(biases, p);
        Between b;
        const std::string errors = layer_errors<MultiHeadAttention::Cache>(
            layer,
            [&](const Pass& pass, auto& cache) {
              return layer.forward(b.x, b.memory, b.pattern, pass, cache);
            },
            [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
              layer.backward(dy, b.x, b.memory, b.pattern, pass, cache, b.dx, b.dmemory);
              check.tensor("x", b.x, b.dx);
              check.tensor("memory", b.memory, b.dmemory);
            });
        CHECK(errors == "");
      }
    }
  }

  TEST_CASE("self-attention: dx is the sum of the paths through queries, keys and values") {
    for (const Mask mask : {Mask::none, Mask::causal}) {
      MultiHeadAttention layer = random_attention(true, 0.3);
      Tensor x = random_tensor({7, kModel}, 2);
      const AttentionPattern pattern = sentence_by_sentence(kKeys, kKeys, mask);
      const std::string errors = layer_errors<MultiHeadAttention::Cache>(
          layer,
          [&](const Pass& pass, auto& cache) { return layer.forward(x, x, pattern, pass, cache); },
          [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
            Tensor dx = Tensor::zeros(x.shape());
            layer.backward(dy, x, x, pattern, pass, cache, dx, dx);
            check.tensor("x", x, dx);
          });
      CHECK(errors == "");
    }
  }

  TEST_CASE("the key bias moves all scores of a row alike, so its true gradient is 0") {
    MultiHeadAttention layer = random_attention(true, 0.3);
    const Tensor x = random_tensor({7, kModel}, 2);
    const AttentionPattern pattern = sentence_by_sentence(kKeys, kKeys, Mask::causal);
    const Pass pass(DropoutMasks(1, 1));
    MultiHeadAttention::Cache cache;
    layer.forward(x, x, pattern, pass, cache);
    Tensor dx = Tensor::zeros(x.shape());
    layer.backward(random_tensor({7, kModel}, 4), x, x, pattern, pass, cache, dx, dx);
    const double key = std::sqrt(sum_of_squares(layer.key.bias.gradient));
    const double query = std::sqrt(sum_of_squares(layer.query.bias.gradient));
    CHECK(query > 0.01);
    CHECK(key <= 1e-14 * query);
  }

  TEST_CASE("multi-head attention: backward adds to dx and dmemory, and to parameters' gradients") {
    MultiHeadAttention layer = random_attention(true, 0);
    Between b;
    const Tensor dy = random_tensor({4, kModel}, 4);
    const Pass pass{DropoutMasks()};
    layer.forward(b.x, b.memory, b.pattern, pass, b.cache);
    layer.backward(dy, b.x, b.memory, b.pattern, pass, b.cache, b.dx, b.dmemory);
    const Tensor dx = b.dx, dmemory = b.dmemory, dW = layer.key.weight.gradient;
    layer.backward(dy, b.x, b.memory, b.pattern, pass, b.cache, b.dx, b.dmemory);
    CHECK(relative_error(b.dx, sum_of(dx, dx)) <= kRounding);
    CHECK(relative_error(b.dmemory, sum_of(dmemory, dmemory)) <= kRounding);
    CHECK(relative_error(layer.key.weight.gradient, sum_of(dW, dW)) <= kRounding);
  }
}
#endif
