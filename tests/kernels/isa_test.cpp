#include "kernels/isa.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "kernels/each_isa.h"
#include "kernels/kernels.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("kernels: instruction sets") {
  TEST_CASE("the portable set is always there, and last") {
    const std::vector<std::string> names = available_isas();
    REQUIRE(!names.empty());
    CHECK(names.back() == "portable");
    CHECK(std::count(names.begin(), names.end(), isa_name()) == 1);
  }

  TEST_CASE("each available set can be chosen and has its own functions") {
    std::vector<const Kernels*> tables;
    std::size_t turn = 0;
    on_each_isa([&] {
      CHECK(isa_name() == available_isas()[turn++]);
      CHECK(std::count(tables.begin(), tables.end(), &kernels()) == 0);
      tables.push_back(&kernels());
    });
    CHECK(turn == available_isas().size());
  }

  TEST_CASE("choosing an unknown set says which there are, and changes nothing") {
    const std::string before = isa_name();
    const std::string message = thrown_by([] { set_isa("avx1024"); });
    CHECK(message.find("avx1024") != std::string::npos);
    for (const std::string& name : available_isas()) {
      CHECK(message.find(name) != std::string::npos);
    }
    CHECK(isa_name() == before);
  }
}
