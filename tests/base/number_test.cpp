#include "base/settings.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace attn;

TEST_SUITE("settings") {
  TEST_CASE("a number is all of a text, or there is none") {
    CHECK(number_in<int>("17") == 17);
    CHECK(number_in<int>("-3") == -3);
    CHECK(number_in<double>("1e-3") == 0.001);
    CHECK(number_in<std::uint64_t>("18446744073709551615") == 18446744073709551615u);
    for (const char* none : {"", " 1", "1 ", "1x", "0x10", "+1", "1.5", "99999999999", "one"}) {
      CAPTURE(none);
      CHECK(!number_in<int>(none));
    }
    CHECK(!number_in<std::uint64_t>("-1"));
    CHECK(!number_in<double>("1e999"));
    CHECK(parse_number<int>("17", "a whole number") == 17);
    CHECK_THROWS_WITH_AS(parse_number<int>("1x", "a whole number"),
                         "expected a whole number, not '1x'", Error);
  }
}
