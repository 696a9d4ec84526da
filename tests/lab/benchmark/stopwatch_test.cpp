#include "lab/benchmark/stopwatch.h"

#include <doctest/doctest.h>

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

TEST_CASE("a part of a pass is counted as what its name says, without numbers") {
  for (const auto& [part, kind] : std::vector<std::pair<std::string, std::string>>{
           {"source", "source"},
           {"source.positions", "source positions"},
           {"encoder", "encoder"},
           {"encoder.11", "encoder"},
           {"encoder.11.self_attention", "encoder self_attention"},
           {"encoder.0.self_attention.query", "encoder self_attention"},
           {"encoder.0.self_attention_norm.dropout", "encoder self_attention_norm"},
           {"decoder.3.cross_attention", "decoder cross_attention"},
           {"adam", "adam"},
           {"", ""},
       }) {
    CHECK(kind_of_part(part) == kind);
  }
}

TEST_CASE("a part's time leaves out the parts inside it, and all times are the whole time") {
  const auto wait = [](double seconds) {
    for (const double end = now() + seconds; now() < end;) {
    }
  };
  Stopwatch watch;
  const double before = now();
  watch.start();
  wait(0.001);
  watch.begin("encoder.0.self_attention_norm", false);
  wait(0.002);
  watch.begin("encoder.0.self_attention", false);
  wait(0.004);
  watch.begin("encoder.0.self_attention.query", false);
  wait(0.008);
  watch.end();
  watch.end();
  watch.end();
  watch.begin("encoder.1.self_attention", true);
  wait(0.016);
  watch.end();
  const std::vector<Stopwatch::Times> times = watch.stop();
  const double whole = now() - before;

  REQUIRE(times.size() == 3);
  CHECK(times[0].kind == Stopwatch::kRest);
  CHECK(times[0].forward >= 0.001);
  CHECK(times[1].kind == "encoder self_attention_norm");
  CHECK(times[1].forward >= 0.002);
  CHECK(times[2].kind == "encoder self_attention");
  CHECK(times[2].forward >= 0.004 + 0.008);
  CHECK(times[2].backward >= 0.016);
  double sum = 0;
  for (const Stopwatch::Times& each : times) sum += each.forward + each.backward;
  CHECK(sum >= 0.031);
  CHECK(sum <= whole);
  watch.start();
  CHECK(watch.stop().size() == 1);
}

TEST_SUITE_END();

}  // namespace attn::test
