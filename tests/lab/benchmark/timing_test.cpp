#include "lab/benchmark/timing.h"

#include <doctest/doctest.h>

#include "lab/benchmark/machine.h"

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

TEST_CASE("a median is the one in the middle") {
  CHECK(median({}) == 0);
  CHECK(median({3}) == 3);
  CHECK(median({9, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 9}) == 3);
}

TEST_CASE("a measurement samples between its runs") {
  int calls = 0;
  std::vector<int> seen;
  const std::vector<double> runs =
      seconds_of_runs([&] { ++calls; }, {0.0001, 0, 4}, [&] { seen.push_back(calls); });
  CHECK(runs.size() == 4);
  REQUIRE(seen.size() == 5);
  for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i] > seen[i - 1]);
  for (const double run : runs) CHECK(run > 0);
}

TEST_CASE("a share is that of the longer of two limits, next to each run") {
  // 100 operations at 10 a second take 10 s; 60 bytes at 30 a second take 2 s, at 3 they take 20 s.
  const Speed arithmetic = speed_of_runs(100, 60, {20, 20}, {{10, 30}, {10, 30}, {10, 30}});
  CHECK(arithmetic.seconds == 20);
  CHECK(arithmetic.rate == 5);
  CHECK(arithmetic.share == doctest::Approx(0.5));
  CHECK(!arithmetic.bound_by_memory);
  const Speed memory = speed_of_runs(100, 60, {40}, {{10, 2}, {10, 4}});
  CHECK(memory.share == doctest::Approx(0.5));
  CHECK(memory.bound_by_memory);
  // A machine at half its speed, and a run that takes twice as long, give the same share.
  const Speed uneven = speed_of_runs(100, 0, {20, 40}, {{10, 0}, {10, 0}, {0, 0}});
  CHECK(uneven.share == doctest::Approx(0.5));
}

TEST_SUITE_END();

}  // namespace attn::test
