#include "support/temporary_directory.h"

#include <doctest/doctest.h>

#include "storage/atomic_file.h"

using namespace attn;
using attn::test::TemporaryDirectory;

TEST_SUITE("support: temporary directory") {
  TEST_CASE("a temporary directory is new, empty and gone afterwards with everything in it") {
    std::string path;
    {
      const TemporaryDirectory one, two;
      path = one.path();
      CHECK(one.path() != two.path());
      CHECK(one.entries() == 0);
      make_directories(one.path("a/b"));
      write_file(one.path("a/b/file"), "text");
      CHECK(one.entries() == 1);
      CHECK(std::filesystem::exists(path));
    }
    CHECK_FALSE(std::filesystem::exists(path));
  }
}
