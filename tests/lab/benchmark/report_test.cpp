#include "lab/benchmark/report.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_SUITE("benchmark") {
  TEST_CASE("speeds and short times read well") {
    CHECK(giga(2.5e9) == "2.50");
    CHECK(giga(148.31e9) == "148.3");
    CHECK(short_time(1.7354) == "1.735 s");
    CHECK(short_time(0.01234) == "12.34 ms");
    CHECK(short_time(5.6e-6) == "5.6 µs");
  }
}
