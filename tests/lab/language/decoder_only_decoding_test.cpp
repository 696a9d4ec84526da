// Decoding step by step with cached keys and values against the whole forward pass.
#include <doctest/doctest.h>

#include "lab/support/small_decoder_only.h"
#include "support/decoding_check.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("7 conclusion") {
  TEST_CASE("a decoder-only model's cached decoding equals the full pass, bit for bit") {
    for (SmallDecoderOnly small : small_decoder_only_models(all_small_models())) {
      CAPTURE(small.name);
      small.config.loss_on_all = false;  // so that the full pass gives the target's logits
      Decoding decoding(random_model(with_dropout(roomy(small.config))), kUnequalSources);
      for (int step = 0; step < 34; ++step) {
        CAPTURE(step);
        REQUIRE(decoding.step_agrees());
      }
    }
  }

  TEST_CASE("its rows, of unequal lengths, can continue any row of their sentence at any step") {
    check_continuing(
        Decoding(random_model(DecoderOnlyConfig{roomy(small_config())}), kUnequalSources), 4);
    Decoding decoding(random_model(DecoderOnlyConfig{roomy(small_config())}), kUnequalSources);
    check_moves(decoding, {{{3, 1, 1, 0, 3}, 1}, {{4, 2, 0}, 1}});
    CHECK_THROWS_AS(decoding.next({1, 1}), Error);
    decoding.reorder({});
    CHECK(decoding.step_agrees());

    // Row 1 writes position 3 of the first sentence at once and of the second, which is empty,
    // three steps later; then the first takes the second's place.
    Decoding two(random_model(DecoderOnlyConfig{roomy(small_config())}), {{5, 3, 2}, {}});
    check_moves(two, {{{0, 0, 1}, 1}, {{1, 2}, 3}, {{0, 0, 0}, 1}});
  }
}
