// Rotary positions against finite differences (and in model/pytorch_golden_test.cpp against
// PyTorch's complex numbers); and what holds for every kind of positions.
#include "layers/rotary.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "layers/multi_head_attention.h"
#include "support/gradient_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr Index kModel = 5, kHeads = 3, kDk = 5, kDv = 4;
const Offsets kQueries = {0, 3, 4, 13}, kKeys = {0, 1, 7, 12};

MultiHeadAttention rotary_attention(double dropout = 0) {
  MultiHeadAttention attention(kModel, kHeads, kDk, kDv, true, dropout);
  attention.rotary = true;
  randomise(attention, 4);
  return attention;
}

}  // namespace

TEST_SUITE("3.5 positions") {
  TEST_CASE(
      "decoding from keys that were kept gives attention's bits, several rows per memory too") {
    const Tensor x = random_tensor({6, kModel}, 1), memory = random_tensor({9, kModel}, 2);
    const MultiHeadAttention layer = rotary_attention();
    MultiHeadAttention::Cache unused;
    const Tensor y =
        layer.forward(x, memory, sentence_by_sentence({0, 6}, {0, 9}, Mask::none), Pass(), unused);
    KeyValues past = layer.project(memory, positions_in({0, 9}));
    for (Index i = 0; i < 6; ++i) {
      // Two hypotheses at position i.
      Tensor rows = Tensor::uninitialised({2, kModel});
      for (Index r = 0; r < 2; ++r) std::copy_n(x.row(i), kModel, rows.row(r));
      AttentionPattern pattern;
      pattern.query_positions = {i, i};
      pattern.past = &past;
      pattern.sentences.push_back({{0, 2}, {0, 9}});
      const Tensor step = layer.forward(rows, Tensor::zeros({0, kModel}), pattern, Pass(), unused);
      for (Index c = 0; c < kModel; ++c) {
        CHECK(step(0, c) == y(i, c));
        CHECK(step(1, c) == y(i, c));
      }
    }
  }

  TEST_CASE("without positions, the order of a source does not matter; with any others it does") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      const Transformer model = random_model(small.config);
      Batch batch, permuted;
      batch.append({5, 3, 6, 2}, {1, 4, 9, 2});
      permuted.append({6, 5, 2, 3}, {1, 4, 9, 2});
      const double error = relative_error(model.logits(permuted), model.logits(batch));
      if (small.config.positions == Positions::none) {
        CHECK(error <= 1e-5);
      } else {
        CHECK(error > 1e-3);
      }
    }
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("3.5 positions") {
  TEST_CASE("rotary: every gradient of an attention, with dropped weights") {
    for (const bool is_self : {true, false}) {
      CAPTURE(is_self);
      const Mask mask = is_self ? Mask::causal : Mask::none;
      MultiHeadAttention layer = rotary_attention(0.3);
      Tensor x = random_tensor({13, kModel}, 1), other = random_tensor({12, kModel}, 2);
      Tensor& memory = is_self ? x : other;
      const Offsets& offsets = is_self ? kQueries : kKeys;
      const AttentionPattern pattern = sentence_by_sentence(kQueries, offsets, mask);
      const std::string errors = layer_errors<MultiHeadAttention::Cache>(
          layer,
          [&](const Pass& pass, auto& cache) {
            return layer.forward(x, memory, pattern, pass, cache);
          },
          [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
            Tensor dx = Tensor::zeros(x.shape()), dother = Tensor::zeros(other.shape());
            layer.backward(dy, x, memory, pattern, pass, cache, dx, is_self ? dx : dother);
            check.tensor("x", x, dx);
            if (!is_self) check.tensor("memory", memory, dother);
          });
      CHECK(errors == "");
    }
  }
}
#endif
