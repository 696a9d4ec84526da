#include "lab/benchmark/workload.h"

#include <doctest/doctest.h>

#include "base/check.h"
#include "tasks/task.h"
#include "text/vocabulary.h"

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

TEST_CASE("presets are measured with the vocabulary that they are usually trained with") {
  // 63.0 million weights: the paper's base model, without attention biases.
  const TransformerConfig base = measured_preset("base");
  CHECK(base.source_vocabulary == 37000);
  CHECK(parameter_count(base) / 100000 == 630);
  CHECK(measured_preset("tiny").target_vocabulary == find_task("copy").tokenizer.size());
  CHECK(measured_preset("small").source_vocabulary == 8000);
  CHECK_THROWS_AS(measured_preset("huge"), Error);
}

TEST_CASE("batches take the pairs in order, and begin again after the last") {
  const std::vector<PairLengths> lengths{{1, 2}, {3, 4}, {5, 6}};
  const Batch second = random_batch(9, lengths, 2, 1);
  CHECK(second.source.offsets == Offsets{0, 5, 6});
  CHECK(second.target_input.offsets == Offsets{0, 6, 8});
  CHECK(second.target_output.size() == 8);
  for (std::size_t t = 0; t < 4; ++t) {
    CHECK(second.source.ids[t] >= 3);
    CHECK(second.source.ids[t] < 9);
  }
  CHECK(second.source.ids[4] == kEos);
  CHECK(second.source.ids[5] == kEos);
  CHECK(random_batch(9, lengths, 2, 1).source.ids == second.source.ids);
  CHECK(random_batch(9, lengths, 2, 4).source.ids != second.source.ids);
}

TEST_CASE("sentences to translate have the length asked for, and end in <eos>") {
  const PackedIds sources = random_sources(9, 2, 3);
  CHECK(sources.offsets == Offsets{0, 3, 6});
  CHECK(sources.ids[2] == kEos);
  CHECK(sources.ids[5] == kEos);
  for (const int i : {0, 1, 3, 4})
    CHECK(sources.ids[static_cast<std::size_t>(i)] >= kSpecialTokens);
  CHECK(random_sources(9, 1, 1).ids == std::vector<int>{kEos});
}

TEST_SUITE_END();

}  // namespace attn::test
