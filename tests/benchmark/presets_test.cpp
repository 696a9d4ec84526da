#include "benchmark/presets.h"

#include <doctest/doctest.h>

#include "base/check.h"
#include "tasks/task.h"

using namespace attn;

TEST_SUITE("benchmarks") {
  TEST_CASE("presets are measured with the vocabulary that they are usually trained with") {
    // 63.0 million weights: the paper's base model, without attention biases.
    const TransformerConfig base = measured_preset("base");
    CHECK(base.source_vocabulary == 37000);
    CHECK(parameter_count(base) / 100000 == 630);
    CHECK(measured_preset("tiny").target_vocabulary == find_task("copy").vocabulary.size());
    CHECK(measured_preset("small").source_vocabulary == 8000);
    CHECK_THROWS_AS(measured_preset("huge"), Error);
  }
}
