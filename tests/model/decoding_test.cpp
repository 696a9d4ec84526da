// Decoding step by step with cached keys and values against the whole forward pass.
#include <doctest/doctest.h>

#include "support/decoding_check.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("3.2.3 three uses") {
  TEST_CASE("cached decoding equals the full pass at every step, bit for bit, for every model") {
    for (const SmallModel& small_model : all_small_models()) {
      CAPTURE(small_model.name);
      // Dropout is off whatever the configuration says.
      Decoding decoding(random_model(with_dropout(roomy(small_model.config))), kSources);
      // Past the first capacity of 16 positions, and past the second of 32.
      for (int step = 0; step < 34; ++step) {
        CAPTURE(step);
        REQUIRE(decoding.step_agrees());
      }
    }
  }

  TEST_CASE("rows can be repeated, dropped and exchanged at any step") {
    Decoding decoding(random_model(roomy(small_config())), kSources);
    check_moves(decoding, {{{0, 0, 1, 2, 2}, 1},  // before the first step, as beam search does
                           {{4, 3, 2, 1, 0}, 1},
                           {{1, 1, 1}, 1},
                           {{2, 0, 1, 0}, 13},
                           // At capacity: when exactly 16 positions are taken, and when 17 are.
                           {{3, 2, 1, 0, 0}, 1},
                           {{4, 1}, 3},
                           {{1}, 1},
                           {{}, 1}});
  }

  TEST_CASE("rows of every sentence can continue any of its rows, step after step") {
    check_continuing(Decoding(random_model(roomy(small_config())), kSources), 3);
  }

  TEST_CASE("a step for another number of rows, or with a token that is none, is an error") {
    Decoding decoding(random_model(small_config()), kSources);
    CHECK_THROWS_AS(decoding.next({1, 1}), Error);
    CHECK_ERROR(decoding.next({1, 11, 1}), "token id 11 is not in a vocabulary of 11");
    CHECK_ERROR(decoding.reorder({0, 3}), "no row 3 in the decoding state");
    CHECK_ERROR(decoding.reorder({-1}), "no row -1 in the decoding state");
  }
}
