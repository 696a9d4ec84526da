#include "base/printing.h"

#include <doctest/doctest.h>

namespace attn::test {

TEST_SUITE_BEGIN("suggestion");

TEST_CASE("edits are letters inserted, deleted, replaced or swapped with the next") {
  CHECK(edits("", "") == 0);
  CHECK(edits("steps", "steps") == 0);
  CHECK(edits("", "abc") == 3);
  CHECK(edits("seed", "see") == 1);
  CHECK(edits("sed", "seed") == 1);
  CHECK(edits("heads", "headz") == 1);
  CHECK(edits("setps", "steps") == 1);
  CHECK(edits("ab", "ba") == 1);
  CHECK(edits("kitten", "sitting") == 3);
  CHECK(edits("ca", "abc") == 3);  // a pair that was swapped is not edited again
}

TEST_CASE("suggestions are near, or not made") {
  const std::vector<std::string> names{"steps", "seed", "save-every"};
  CHECK(suggestion("step", names) == "; did you mean steps?");
  CHECK(suggestion("setps", names) == "; did you mean steps?");
  CHECK(suggestion("sede", names, "--") == "; did you mean --seed?");
  CHECK(suggestion("save", names) == "; did you mean save-every?");
  CHECK(suggestion("xyz", names).empty());
  CHECK(suggestion("", names).empty());
  CHECK(suggestion(std::string(100000, 's'), names).empty());
}

TEST_SUITE_END();

}  // namespace attn::test
