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

TEST_CASE("a share of the peak is that of the neighbours of each run") {
  // 100 operations at 10 a second take 10 s.
  const Speed speed = speed_of_runs(100, {20, 20}, {10, 10, 10});
  CHECK(speed.seconds == 20);
  CHECK(speed.rate == 5);
  CHECK(speed.share == doctest::Approx(0.5));
  // A machine at half its speed, and a run that takes twice as long, give the same share.
  CHECK(speed_of_runs(100, {20, 40}, {10, 10, 0}).share == doctest::Approx(0.5));
}

TEST_SUITE_END();

}  // namespace attn::test
