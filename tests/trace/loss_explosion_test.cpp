#include "trace/warning_signs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace attn;

TEST_SUITE("loss explosion") {
  TEST_CASE("a loss has exploded above twice that of guessing or ten times the best perplexity") {
    const double guessing = std::log(29);
    for (const double bad : {2 * guessing + 0.01, 0.7 + std::log(10) + 0.01}) {
      ExplosionWatch watch{guessing};
      for (const double fine : {6.7, 3.4, 0.7, 2.9, 0.8}) CHECK(!watch.sees_explosion(fine));
      CHECK(watch.sees_explosion(bad));
      CHECK(!watch.sees_explosion(bad));  // once is enough
    }
    ExplosionWatch watch{guessing};
    CHECK(watch.sees_explosion(6.8));
  }
}
