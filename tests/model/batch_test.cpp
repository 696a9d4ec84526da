#include "model/batch.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_SUITE("5.1 batching") {
  TEST_CASE("a packed batch shifts its targets right by one") {
    Batch batch;
    batch.append({5, 6, 2}, {1, 7, 8, 2});
    batch.append({2}, {1, 2});
    CHECK(batch.source.offsets == Offsets{0, 3, 4});
    CHECK(batch.source.sentences() == 2);
    CHECK(batch.source.tokens() == 4);
    CHECK(batch.target_input.ids == std::vector<int>{1, 7, 8, 1});
    CHECK(batch.target_output == std::vector<int>{7, 8, 2, 2});
    CHECK(batch.target_input.offsets == Offsets{0, 3, 4});
    CHECK_THROWS_AS(batch.append({2}, {1}), Error);
    CHECK_THROWS_AS(batch.append({2}, {}), Error);
    CHECK(batch.source.sentences() == 2);
  }
}
