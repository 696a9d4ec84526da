#include "lab/benchmark/timing.h"

#include <doctest/doctest.h>

#include "lab/benchmark/machine.h"
#include "lab/benchmark/stopwatch.h"

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

TEST_CASE("a value counts for the part that its name begins with, without numbers") {
  for (const auto& [name, part] : std::vector<std::pair<std::string, std::string>>{
           {"source.position", "source"},
           {"e", "source"},
           {"g", "target"},
           {"encoder.11.output", "encoder"},
           {"encoder.11.self_attention.u", "encoder self_attention"},
           {"encoder.0.self_attention.heads.1.S", "encoder self_attention"},
           {"encoder.0.self_attention_norm.mask", "encoder self_attention_norm"},
           {"decoder.3.cross_attention.du_Q", "decoder cross_attention"},
           {"dlogits", "output"},
           {"z", "the rest"},
       }) {
    CHECK(part_of_value(name) == part);
  }
}

TEST_CASE("the time before a value is that of its part, and all times are the whole time") {
  const auto wait = [](double seconds) {
    for (const double end = now() + seconds; now() < end;) {
    }
  };
  Stopwatch watch;
  const double before = now();
  watch.start();
  wait(0.001);
  watch.see("x");
  wait(0.002);
  watch.see("encoder.0.self_attention.u");
  wait(0.004);
  watch.see("encoder.1.self_attention.heads.0.S");
  wait(0.008);
  watch.see("encoder.1.self_attention.heads.0.dS");
  wait(0.016);
  const std::vector<Stopwatch::Times> times = watch.stop();
  const double whole = now() - before;

  REQUIRE(times.size() == 3);
  CHECK(times[0].part == "zero_gradients");
  CHECK(times[0].forward >= 0.001);
  CHECK(times[1].part == "encoder self_attention");
  CHECK(times[1].forward >= 0.002 + 0.004);
  CHECK(times[1].backward >= 0.008);
  CHECK(times[2].part == "adam");
  CHECK(times[2].forward >= 0.016);
  double sum = 0;
  for (const Stopwatch::Times& each : times) sum += each.forward + each.backward;
  CHECK(sum >= 0.031);
  CHECK(sum <= whole);
  watch.start();
  CHECK(watch.stop().size() == 1);
}

TEST_SUITE_END();

}  // namespace attn::test
