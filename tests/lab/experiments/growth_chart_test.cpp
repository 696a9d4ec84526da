#include "lab/experiments/growth_chart.h"

#include <doctest/doctest.h>

#include "base/check.h"

using namespace attn;

TEST_SUITE("experiments") {
  TEST_CASE("a chart of growth names every curve, those that end together in one line") {
    const std::string chart = document(growth_chart("Cost", "n",
                                                    {{"one", {{1, 1}, {10, 10}}},
                                                     {"two", {{1, 5}, {10, 10}}},
                                                     {"none", {{1, 0}}},
                                                     {"three", {{1, 1}, {10, 1}}}}));
    CHECK(chart.find(">one, two<") != std::string::npos);
    CHECK(chart.find(">three<") != std::string::npos);
    CHECK(chart.find(">none<") == std::string::npos);
    CHECK_THROWS_AS(growth_chart("Cost", "n", {{"one", {{1, 1}}}}), Error);
  }
}
