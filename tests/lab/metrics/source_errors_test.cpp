#include "lab/metrics/source_errors.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_SUITE("error rate") {
  TEST_CASE("a source with several targets is right if its translation is one of them") {
    const std::vector<TextPair> pairs{{"a b", "x"}, {"c", "y"},   {" a  b", "z"}, {"", ""},
                                      {"a b", "x"}, {"d e", "y"}, {"c", "x"},     {" ", ""}};
    SourceErrors found = source_errors(pairs, {false, false, true, true, false, true, false, true});
    CHECK(found.sources == 3);
    CHECK(found.wrong == 1);
    CHECK(found.repeats == 3);
    // The first is right, and the others of that source are not.
    found = source_errors({{"a", "x"}, {"a", "y"}}, {true, false});
    CHECK(found.sources == 1);
    CHECK(found.wrong == 0);
  }
}
