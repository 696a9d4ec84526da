#include "text/pieces.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "text/tokenizer.h"

using namespace attn;

TEST_SUITE("5.1 pieces") {
  TEST_CASE("pieces are words and what is between them; a single space between words is left out") {
    using Tokens = std::vector<std::string>;
    const auto pieces_of = [](std::string_view line) {
      const auto views = pieces(line);
      return Tokens(views.begin(), views.end());
    };
    CHECK(pieces_of("Jane visite l'Afrique en 2017.") ==
          Tokens{"Jane", "visite", "l", "'", "Afrique", "en", "2017", "."});
    CHECK(pieces_of(" a  b. ") == Tokens{" ", "a", "  ", "b", ". "});
    CHECK(pieces_of("") == Tokens{});
    CHECK(pieces_of(" ") == Tokens{" "});
    CHECK(pieces_of("東京、大阪") == Tokens{"東京", "、", "大阪"});
    CHECK(pieces_of("e\u0301te\u0301") == Tokens{"e\u0301te\u0301"});
  }

  TEST_CASE("the pieces of lines are counted") {
    UnitCounts counts;
    count_units(Units::byte_pairs, "a b, a", counts);
    count_units(Units::byte_pairs, "b", counts);
    CHECK(counts == UnitCounts{{"a", 2}, {"b", 2}, {", ", 1}});
  }
}
