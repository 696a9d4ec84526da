#include "app/train_warnings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace attn;

TEST_SUITE("loss explosion") {
  TEST_CASE("a loss has exploded above twice that of guessing or ten times the best perplexity") {
    const double guessing = std::log(29), best = 0.7;
    for (const double fine : {best, 2.9, 0.8, best + std::log(10) - 0.01}) {
      CHECK(!app::has_exploded(fine, guessing, best));
    }
    CHECK(app::has_exploded(best + std::log(10) + 0.01, guessing, best));
    CHECK(!app::has_exploded(2 * guessing - 0.01, guessing, 6.7));
    CHECK(app::has_exploded(2 * guessing + 0.01, guessing, 6.7));
  }
}
