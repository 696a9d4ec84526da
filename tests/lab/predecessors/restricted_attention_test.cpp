#include "lab/predecessors/restricted_attention.h"

#include <doctest/doctest.h>

#include <limits>

#include "base/parallel.h"
#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

// d_model = 5, h = 3, d_k = 2, d_v = 4; sentences of 6, 1, 0 and 4 words.
constexpr Index kModel = 5, kHeads = 3, kDk = 2, kDv = 4, kWords = 11;
const Offsets kFourSentences = {0, 6, 7, 7, 11};
const Window kNarrow[] = {{1, false}, {3, false}, {5, false}, {1, true}, {2, true}, {4, true}};
// Wider than any sentence.
const Window kEverything{21, false}, kEverythingBefore{11, true};

RestrictedAttention random_attention(const Window& window, double weights_dropout = 0) {
  RestrictedAttention layer(window,
                            MultiHeadAttention(kModel, kHeads, kDk, kDv, true, weights_dropout));
  randomise(layer, 1);
  return layer;
}

Tensor forward(const RestrictedAttention& layer, const Tensor& x, const Pass& pass = {},
               const Offsets& offsets = kFourSentences) {
  RestrictedAttention::Cache unused;
  return layer.forward(x, offsets, pass, unused);
}

bool sees(const Window& window, Index t, Index s) {
  for (Index j = 0; j < window.width; ++j) {
    if (t + window.offset(j) == s) return true;
  }
  return false;
}

constexpr double kWindowRounding = sizeof(Real) == 8 ? 1e-14 : 1e-5;

}  // namespace

TEST_SUITE("4 why self-attention: restricted attention") {
  TEST_CASE("a window as wide as the sentence is self-attention, causal or not") {
    const Tensor x = random_tensor({kWords, kModel}, 2);
    for (const Window& window : {kEverything, kEverythingBefore}) {
      const RestrictedAttention layer = random_attention(window);
      const Mask mask = window.causal ? Mask::causal : Mask::none;
      MultiHeadAttention::Cache unused;
      const Tensor y = layer.attention.forward(
          x, x, sentence_by_sentence(kFourSentences, kFourSentences, mask), Pass(), unused);
      CHECK(relative_error(forward(layer, x), y) <= kWindowRounding);
    }
  }

  TEST_CASE("pairs outside of the windows are not even multiplied: a NaN there reaches nobody") {
    for (const Window& window : kNarrow) {
      const RestrictedAttention layer = random_attention(window);
      const Tensor x = random_tensor({kWords, kModel}, 2);
      const Tensor before = forward(layer, x);
      for (Index s = 0; s < kWords; ++s) {
        Tensor changed = x;
        changed(s, 1) = std::numeric_limits<Real>::quiet_NaN();
        const Tensor after = forward(layer, changed);
        for (std::size_t b = 0; b + 1 < kFourSentences.size(); ++b) {
          const Index begin = kFourSentences[b], end = kFourSentences[b + 1];
          for (Index t = begin; t < end; ++t) {
            const bool reached = s >= begin && s < end && sees(window, t, s);
            CHECK(same_bits(kModel, before.row(t), after.row(t)) == !reached);
          }
        }
      }
    }
  }

  TEST_CASE("restricted attention keeps r weights for each position, not n") {
    const RestrictedAttention layer = random_attention({3, false});
    for (const Index n : {100, 200}) {
      RestrictedAttention::Cache cache;
      layer.forward(random_tensor({n, kModel}, 2), {0, n}, DropoutMasks(), cache);
      CHECK(cache.P.elements() == n * kHeads * 3);
      // They add up to 1.
      for (Index row = 0; row < n * kHeads; ++row) {
        Real sum = 0;
        for (Index j = 0; j < 3; ++j) sum += cache.P[row * 3 + j];
        CHECK(static_cast<double>(sum) == doctest::Approx(1));
      }
    }
  }

  TEST_CASE("restricted attention does not depend on threads, by a bit") {
    const Tensor x = random_tensor({kWords, kModel}, 2), dy = random_tensor({kWords, kModel}, 3);
    std::vector<Tensor> one, three;
    for (std::vector<Tensor>* numbers : {&one, &three}) {
      const WithThreads with(numbers == &one ? 1 : 3);
      RestrictedAttention layer = random_attention({3, false}, 0.3);
      RestrictedAttention::Cache cache;
      numbers->push_back(layer.forward(x, kFourSentences, DropoutMasks(1, 1), cache));
      numbers->push_back(layer.backward(dy, x, kFourSentences, cache));
      numbers->push_back(layer.attention.key.weight.gradient);
    }
    for (std::size_t i = 0; i < 3; ++i) CHECK(same(one[i], three[i]));
  }

  TEST_CASE("windows with holes, and offsets that do not fit, are errors") {
    CHECK_THROWS_AS(random_attention({3, false, 2}), Error);
    CHECK_THROWS_AS(random_attention({4, false}), Error);
    const Tensor x = random_tensor({kWords, kModel}, 2);
    CHECK_THROWS_AS(forward(random_attention({3, false}), x, {}, {0, 10}), Error);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("restricted attention: all gradients agree with finite differences") {
    for (const Window& window : kNarrow) {
      CAPTURE(window.width);
      CAPTURE(window.causal);
      for (const double p : {0.0, 0.3}) {
        RestrictedAttention layer = random_attention(window, p);
        Tensor x = random_tensor({kWords, kModel}, 2);
        const std::string errors = layer_errors<RestrictedAttention::Cache>(
            layer,
            [&](const Pass& pass, auto& cache) {
              return layer.forward(x, kFourSentences, pass, cache);
            },
            [&](const Tensor& dy, const Pass&, auto& cache, GradientCheck& check) {
              check.tensor("x", x, layer.backward(dy, x, kFourSentences, cache));
            });
        CHECK(errors == "");
      }
    }
  }
#endif
}
