#include "layers/multi_head_attention.h"

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "support/gradient_check.h"
#include "support/product.h"

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
  MultiHeadAttention::Input input{x, kQueries, memory, kKeys, Mask::none};
  MultiHeadAttention::Cache cache;
  Tensor dmemory = Tensor::zeros(memory.shape());
};

Tensor forward(const MultiHeadAttention& layer, const MultiHeadAttention::Input& input,
               const Pass& pass = {}) {
  MultiHeadAttention::Cache unused;
  return layer.forward(input, pass, unused);
}

// Columns [col, col + width) of W, as a matrix of its own.
Tensor columns(const Tensor& W, Index col, Index width) {
  Tensor part = Tensor::zeros({W.rows(), width});
  for (Index i = 0; i < W.rows(); ++i) {
    for (Index j = 0; j < width; ++j) part(i, j) = W(i, col + j);
  }
  return part;
}

}  // namespace

TEST_SUITE("3.2.2 multi-head attention") {
  TEST_CASE("offsets that do not cover the rows are refused, forward and backward") {
    MultiHeadAttention layer = random_attention(true, 0);
    Between b;
    const Pass pass{DropoutMasks()};
    const Tensor &x = b.x, &memory = b.memory;
    layer.forward(b.input, pass, b.cache);
    for (const Offsets& wrong : {Offsets{}, Offsets{0, 3, 3}, Offsets{0, 3, 5}, Offsets{1, 3, 4},
                                 Offsets{0, 5, 4}, Offsets{0, 4}}) {
      const MultiHeadAttention::Input input{x, wrong, memory, kKeys, Mask::none};
      CHECK_THROWS_AS(forward(layer, input), Error);
      CHECK_THROWS_AS(layer.backward(x, input, pass.back(), b.cache, b.dmemory), Error);
    }
    CHECK_THROWS_WITH_AS(forward(layer, {x, kQueries, memory, {0, 1, 6}, Mask::none}),
                         "the offsets of sentences end with the number of their rows, 7, not 6",
                         Error);
    CHECK_THROWS_WITH_AS(forward(layer, {x, {0, 5, 4}, memory, kKeys, Mask::none}),
                         "the offsets of sentences ascend, but 4 follows 5", Error);
    CHECK_THROWS_WITH_AS(forward(layer, {x, {2, 3, 4}, memory, kKeys, Mask::none}),
                         "the offsets of sentences begin with 0, not 2", Error);
    CHECK_THROWS_WITH_AS(forward(layer, {x, {}, memory, {}, Mask::none}),
                         "the offsets of sentences begin with 0, but there are none", Error);
  }

  TEST_CASE("backward refuses sentences that forward cut elsewhere") {
    MultiHeadAttention layer = random_attention(true, 0);
    Between b;
    const Pass pass{DropoutMasks()};
    layer.forward(b.input, pass, b.cache);
    const Offsets one = {0, 4}, all = {0, 7};
    const MultiHeadAttention::Input whole{b.x, one, b.memory, all, Mask::none};
    CHECK_THROWS_AS(layer.backward(b.x, whole, pass.back(), b.cache, b.dmemory), Error);
  }

  TEST_CASE("attend refuses keys and values of other widths") {
    const MultiHeadAttention layer = random_attention(false, 0);
    const Tensor x = random_tensor({1, kModel}, 2);
    const Tensor K = random_tensor({3, kHeads * kDk}, 3), V = random_tensor({3, kHeads * kDv}, 4);
    CHECK(layer.attend(x, {{1, K, V}}).rows() == 1);
    CHECK_THROWS_AS(layer.attend(x, {{1, V, V}}), Error);
    CHECK_THROWS_AS(layer.attend(x, {{1, K, K}}), Error);
    CHECK_THROWS_AS(layer.attend(x, {{-1, K, V}, {2, K, V}}), Error);
  }

  TEST_CASE("a big for-loop over self-attention, then Concat, then W^O") {
    const MultiHeadAttention layer = random_attention(false, 0);
    const Tensor x = random_tensor({6, kModel}, 2);
    const Offsets one = {0, 6};
    const Tensor y = forward(layer, {x, one, x, one, Mask::none});

    // head_i = Attention(x W^Q_i, x W^K_i, x W^V_i), each with matrices of its own.
    Tensor concat = Tensor::zeros({6, kHeads * kDv});
    for (Index i = 0; i < kHeads; ++i) {
      const Tensor Q = product(x, columns(layer.query.weight.value, i * kDk, kDk));
      const Tensor K = product(x, columns(layer.key.weight.value, i * kDk, kDk));
      const Tensor V = product(x, columns(layer.value.weight.value, i * kDv, kDv));
      Tensor P = Tensor::zeros({6, 6}), head = Tensor::zeros({6, kDv});
      attention_forward(Q, K, V, {}, {}, P, head);
      for (Index t = 0; t < 6; ++t) {
        for (Index c = 0; c < kDv; ++c) concat(t, i * kDv + c) = head(t, c);
      }
    }
    CHECK(same(product(concat, layer.output.weight.value), y));
  }

  TEST_CASE("the projections have no biases unless asked for, and these shapes") {
    for (const bool biases : {false, true}) {
      MultiHeadAttention layer(kModel, kHeads, kDk, kDv, biases, 0);
      std::string shapes;
      layer.visit("a", [&](const std::string& name, Parameter& p) {
        shapes += name + to_string(p.value.shape()) + " ";
      });
      CHECK(shapes == (biases ? "a.query.weight[5, 6] a.query.bias[6] a.key.weight[5, 6] "
                                "a.key.bias[6] a.value.weight[5, 12] a.value.bias[12] "
                                "a.output.weight[12, 5] a.output.bias[5] "
                              : "a.query.weight[5, 6] a.key.weight[5, 6] a.value.weight[5, 12] "
                                "a.output.weight[12, 5] "));
    }
  }

  TEST_CASE("a packed sentence attends to itself only: alone it gives the same bits") {
    const MultiHeadAttention layer = random_attention(true, 0);
    const Between b;
    const Tensor &x = b.x, &memory = b.memory;
    const Tensor y = forward(layer, b.input);
    const Tensor x2 = tensor_of({1, kModel}, {double(x(3, 0)), double(x(3, 1)), double(x(3, 2)),
                                              double(x(3, 3)), double(x(3, 4))});
    Tensor memory2 = Tensor::zeros({6, kModel});
    for (Index i = 0; i < memory2.elements(); ++i) memory2[i] = memory[kModel + i];
    const Tensor alone = forward(layer, {x2, {0, 1}, memory2, {0, 6}, Mask::none});
    for (Index j = 0; j < kModel; ++j) CHECK(alone[j] == y(3, j));
  }

  TEST_CASE("attend, where rows that look at one memory share it or not, gives forward's bits") {
    const MultiHeadAttention layer = random_attention(true, 0);
    const Between b;
    const Tensor y = forward(layer, b.input);
    const Tensor K = layer.key.forward(b.memory), V = layer.value.forward(b.memory);
    std::vector<MultiHeadAttention::Memory> memories;
    for (Index t = 0; t < 4; ++t) {
      const Index begin = t < 3 ? 0 : 1, end = t < 3 ? 1 : 7;
      memories.push_back({1, rows_of(K, begin, end), rows_of(V, begin, end)});
    }
    CHECK(same(layer.attend(b.x, memories), y));
    memories.erase(memories.begin(), memories.begin() + 2);
    CHECK_THROWS_AS(layer.attend(b.x, memories), Error);
    memories[0].rows = 3;
    CHECK(same(layer.attend(b.x, memories), y));
  }

  TEST_CASE("without positions, permuting the words permutes the outputs") {
    const MultiHeadAttention layer = random_attention(true, 0);
    const Index order[] = {2, 4, 0, 3, 1};
    const Offsets one = {0, 5};
    const Tensor x = random_tensor({5, kModel}, 2);
    Tensor permuted = x;
    for (Index t = 0; t < 5; ++t) {
      for (Index j = 0; j < kModel; ++j) permuted(t, j) = x(order[t], j);
    }
    const Tensor y = forward(layer, {x, one, x, one, Mask::none});
    const Tensor z = forward(layer, {permuted, one, permuted, one, Mask::none});
    for (Index t = 0; t < 5; ++t) {
      for (Index j = 0; j < kModel; ++j) {
        CHECK(z(t, j) == doctest::Approx(y(order[t], j)).epsilon(1e-4));
      }
    }
  }

  TEST_CASE("numbers of sentences, and widths, that do not fit are errors") {
    const MultiHeadAttention layer = random_attention(false, 0);
    const Tensor x = random_tensor({4, kModel}, 2), narrow = random_tensor({4, 3}, 2);
    CHECK_THROWS_AS(forward(layer, {x, {0, 4}, x, {0, 2, 4}, Mask::none}), Error);
    CHECK_THROWS_AS(forward(layer, {x, {0, 4}, narrow, {0, 4}, Mask::none}), Error);
    CHECK_THROWS_AS(forward(layer, {x, {0, 5}, x, {0, 5}, Mask::none}), Error);
  }
}

TEST_SUITE("5.4 regularisation") {
  TEST_CASE("every weight of every head and sentence has a dropout decision of its own") {
    const MultiHeadAttention layer = random_attention(false, 0.3);
    const Tensor x = random_tensor({6, kModel}, 2);
    const Offsets two = {0, 3, 6};
    Tensor twice = x;  // the same sentence two times
    for (Index i = 0; i < 3 * kModel; ++i) twice[3 * kModel + i] = x[i];
    const Tensor y = forward(layer, {twice, two, twice, two, Mask::none}, DropoutMasks(1, 1));
    Index different = 0;
    for (Index i = 0; i < 3 * kModel; ++i) different += y[i] != y[3 * kModel + i];
    CHECK(different > 2 * kModel);
    const WithThreads one(1);
    const Tensor z = forward(layer, {twice, two, twice, two, Mask::none}, DropoutMasks(1, 1));
    CHECK(same(y, z));
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("C backpropagation") {
  TEST_CASE("multi-head attention between two inputs: all gradients agree with differences") {
    for (const bool biases : {false, true}) {
      for (const double p : {0.0, 0.3}) {
        MultiHeadAttention layer = random_attention(biases, p);
        Between b;
        const Tensor dy = random_tensor({4, kModel}, 4);
        const Pass pass(DropoutMasks(1, 1));
        layer.forward(b.input, pass, b.cache);
        const Tensor dx = layer.backward(dy, b.input, pass.back(), b.cache, b.dmemory);
        GradientCheck check;
        check.tensor("x", b.x, dx);
        check.tensor("memory", b.memory, b.dmemory);
        check.parameters("attention", layer);
        CHECK(check.errors([&] {
          return weighted_sum(dy, forward(layer, b.input, DropoutMasks(1, 1)));
        }) == "");
      }
    }
  }

  TEST_CASE("self-attention: dx is the sum of the paths through queries, keys and values") {
    for (const Mask mask : {Mask::none, Mask::causal}) {
      MultiHeadAttention layer = random_attention(true, 0.3);
      Tensor x = random_tensor({7, kModel}, 2);
      const Tensor dy = random_tensor({7, kModel}, 4);
      const MultiHeadAttention::Input input{x, kKeys, x, kKeys, mask};
      const Pass pass(DropoutMasks(1, 1));
      MultiHeadAttention::Cache cache;
      layer.forward(input, pass, cache);
      Tensor dx = Tensor::zeros(x.shape());
      add(layer.backward(dy, input, pass.back(), cache, dx), dx);
      GradientCheck check;
      check.tensor("x", x, dx);
      check.parameters("attention", layer);
      CHECK(check.errors(
                [&] { return weighted_sum(dy, forward(layer, input, DropoutMasks(1, 1))); }) == "");
    }
  }

  TEST_CASE("the key bias moves all scores of a row alike, so its true gradient is 0") {
    MultiHeadAttention layer = random_attention(true, 0.3);
    const Tensor x = random_tensor({7, kModel}, 2);
    const MultiHeadAttention::Input input{x, kKeys, x, kKeys, Mask::causal};
    const Pass pass(DropoutMasks(1, 1));
    MultiHeadAttention::Cache cache;
    layer.forward(input, pass, cache);
    Tensor dx = Tensor::zeros(x.shape());
    layer.backward(random_tensor({7, kModel}, 4), input, pass.back(), cache, dx);
    const double key = std::sqrt(sum_of_squares(layer.key.bias.gradient));
    const double query = std::sqrt(sum_of_squares(layer.query.bias.gradient));
    CHECK(query > 0.01);
    CHECK(key <= 1e-14 * query);
  }

  TEST_CASE("multi-head attention: backward adds to dmemory, and to the parameters' gradients") {
    MultiHeadAttention layer = random_attention(true, 0);
    Between b;
    const Tensor dy = random_tensor({4, kModel}, 4);
    const Pass pass{DropoutMasks()};
    layer.forward(b.input, pass, b.cache);
    layer.backward(dy, b.input, pass.back(), b.cache, b.dmemory);
    const Tensor once = b.dmemory, dW = layer.key.weight.gradient;
    layer.backward(dy, b.input, pass.back(), b.cache, b.dmemory);
    for (Index i = 0; i < once.elements(); ++i) {
      CHECK(b.dmemory[i] == doctest::Approx(2 * once[i]).epsilon(1e-12));
    }
    for (Index i = 0; i < dW.elements(); ++i) {
      CHECK(layer.key.weight.gradient[i] == doctest::Approx(2 * dW[i]).epsilon(1e-12));
    }
  }
}
#endif
