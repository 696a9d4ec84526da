// What the benchmark runs, and what it counts in a step.
#include "lab/benchmark/workload.h"

#include <doctest/doctest.h>

#include "lab/benchmark/decoding.h"
#include "lab/benchmark/steps.h"
#include "support/small_models.h"
#include "text/vocabulary.h"

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

TEST_CASE("sentence pairs have the lengths asked for, and sources end in <eos>") {
  const Batch batch = random_batch(9, 2, 3, 4);
  CHECK(batch.source.offsets == Offsets{0, 3, 6});
  CHECK(batch.target_input.offsets == Offsets{0, 4, 8});
  CHECK(batch.target_output.size() == 8);
  for (std::size_t t = 0; t < 6; ++t) {
    const int id = batch.source.ids[t];
    CHECK((t % 3 == 2 ? id == kEos : id >= kSpecialTokens && id < 9));
  }
  CHECK(random_batch(9, 2, 3, 4).source.ids == batch.source.ids);
  CHECK(random_batch(9, 1, 1, 1).source.ids == std::vector<int>{kEos});
}

TEST_CASE("the operations of a step: heads may have any width, and sentences any length") {
  TransformerConfig config;
  config.layers = 3;
  config.d_model = 10;
  config.d_ff = 7;
  config.heads = 2;
  config.d_k = 3;
  config.d_v = 5;
  config.source_vocabulary = config.target_vocabulary = 11;
  Batch batch;  // sources of 2, 4 and 1 tokens, targets of 1, 6 and 3
  batch.append({4, 2}, {1, 2});
  batch.append({4, 5, 6, 2}, {1, 4, 5, 6, 7, 8, 2});
  batch.append({2}, {1, 4, 5, 2});
  // 7 source tokens, 10 target tokens; Σ m n: 21 in the encoder, 46 in the decoder, 29 between.
  const double qk = 10 * 2 * 3, v = 10 * 2 * 5;  // weights of a projection
  const double weights = 3 * (7 * (2 * qk + 2 * v) + 10 * (2 * qk + 2 * v) + 10 * (qk + v) +
                              7 * (qk + v) + (7 + 10) * 2 * 10 * 7) +
                         10 * 10 * 11;
  const double pairs = 3 * (21 + 46 + 29) * 2 * (3 + 5);
  CHECK(step_operations(config, batch) == 3 * (2 * weights + 2 * pairs));
}

TEST_CASE("decoding is measured with outputs of just so many tokens, the last of them the end") {
  const Transformer model = random_model(small_config());
  for (const Index beam : {1, 3}) {
    for (const Index tokens : {1, 2, 9}) {
      const Decoding decoding{2, beam, 4, tokens};
      const PackedIds sources = random_batch(model.facts.source_vocabulary, 2, 4, 1).source;
      for (const auto& found : decode(model, decoding, sources)) {
        const std::vector<int>& output = found.at(0).tokens;
        CHECK(static_cast<Index>(output.size()) == tokens - 1);
        for (const int token : output) CHECK(token != kEos);
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace attn::test
