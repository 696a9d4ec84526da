// Decoding step by step with cached keys and values against the whole forward pass.
#include <doctest/doctest.h>

#include "support/decoding_check.h"

using namespace attn;
using namespace attn::test;

namespace {

// The last sentence is longer than the first capacity of the cache.
const std::vector<std::vector<int>> kUnequalSources = {
    {5, 3, 5, 2}, {}, {10, 2}, {3, 4, 5, 6, 7, 8, 9, 10, 3, 4, 5, 6, 7, 8, 9, 10, 3, 4, 2}};

template <class Config>
Config roomy(Config config) {
  config.max_positions = 64;
  return config;
}

// Random rows of every sentence continue, as beam search does it, more and fewer than before.
template <class Model>
void check_continuing(Decoding<Model> decoding, Index sentence_count) {
  std::vector<Index> sentences;
  for (Index b = 0; b < sentence_count; ++b) sentences.push_back(b);
  const RandomStream random{3, 3};
  std::uint64_t index = 0;
  for (int step = 0; step < 40; ++step) {
    CAPTURE(step);
    std::vector<Index> rows, of_rows;
    for (Index b = 0; b < sentence_count; ++b) {
      std::vector<Index> old;
      for (std::size_t r = 0; r < sentences.size(); ++r) {
        if (sentences[r] == b) old.push_back(static_cast<Index>(r));
      }
      for (std::uint64_t count = 1 + random.below(index++, 5); count > 0; --count) {
        rows.push_back(old[random.below(index++, old.size())]);
        of_rows.push_back(b);
      }
    }
    decoding.reorder(rows);
    sentences = of_rows;
    REQUIRE(decoding.step_agrees());
  }
}

}  // namespace

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
    CHECK_THROWS_WITH_AS(decoding.next({1, 11, 1}), "token id 11 is not in a vocabulary of 11",
                         Error);
    CHECK_THROWS_WITH_AS(decoding.reorder({0, 3}), "no row 3 in the decoding state", Error);
    CHECK_THROWS_WITH_AS(decoding.reorder({-1}), "no row -1 in the decoding state", Error);
  }

  TEST_CASE("learned positions end, with an error, where the table ends") {
    TransformerConfig config = small_config();
    config.positions = Positions::learned;
    config.max_positions = 4;
    Decoding decoding(random_model(config), kSources);
    for (int step = 0; step < 4; ++step) REQUIRE(decoding.step_agrees());
    CHECK_THROWS_WITH_AS(decoding.next({1, 1, 1}),
                         "the sentence is longer than the 4 positions that the model has learned",
                         Error);
  }
}

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
