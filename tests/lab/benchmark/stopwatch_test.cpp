#include "lab/benchmark/stopwatch.h"

#include <doctest/doctest.h>

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

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
