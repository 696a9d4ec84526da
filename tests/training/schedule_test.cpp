#include "training/schedule.h"

#include <doctest/doctest.h>

#include "base/check.h"

using namespace attn;

TEST_SUITE("5.3 optimizer") {
  TEST_CASE("the base model's learning rate is what equation (3) gives by hand") {
    const Schedule base{512, 4000, 1};
    // As ratios: doctest's tolerance is relative to numbers of about 1 only.
    CHECK(base.rate(1) / 1.746928e-7 == doctest::Approx(1).epsilon(1e-6));
    CHECK(base.rate(4000) / 6.987712e-4 == doctest::Approx(1).epsilon(1e-6));
    // √(4000/100000) of the peak.
    CHECK(base.rate(100000) / (6.987712e-4 * 0.2) == doctest::Approx(1).epsilon(1e-6));
    CHECK(Schedule{1024, 4000, 1}.rate(4000) / 4.941059e-4 == doctest::Approx(1).epsilon(1e-6));
  }

  TEST_CASE("the rate rises in equal steps from step 1 to the warm-up and falls after it") {
    const Schedule schedule{64, 100, 0.5};
    for (Index step = 2; step <= 100; ++step) {
      const double rise = schedule.rate(step) - schedule.rate(step - 1);
      CHECK(rise / schedule.rate(1) == doctest::Approx(1).epsilon(1e-9));
    }
    for (Index step = 101; step <= 1000; ++step) {
      CHECK(schedule.rate(step) < schedule.rate(step - 1));
    }
    CHECK(schedule.rate(400) == doctest::Approx(schedule.rate(100) / 2).epsilon(1e-12));
    CHECK_THROWS_AS(Schedule().rate(0), Error);
  }
}
