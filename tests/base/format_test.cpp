#include "base/format.h"

#include <doctest/doctest.h>

namespace attn::test {

TEST_SUITE_BEGIN("format");

TEST_CASE("numbers and shell words read well") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(counted(0, "line") == "0 lines");
  CHECK(counted(1, "line") == "1 line");
  CHECK(counted(2000, "line") == "2,000 lines");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(share_text(0.931) == "93.1 %");
  CHECK(shell_word("runs/copy") == "runs/copy");
  CHECK(shell_word("it's mine") == "'it'\\''s mine'");
  CHECK(shell_word("") == "''");
}

TEST_CASE("not everything is right before all of it is") {
  CHECK(percent(99999, 100000) == "99.9 %");
  CHECK(percent(100000, 100000) == "100.0 %");
  CHECK(percent(0, 0) == "–");
  CHECK(share_text(0.9996) == "99.9 %");
  CHECK(share_text(1) == "100.0 %");
}

TEST_SUITE_END();

}  // namespace attn::test
