#include "text/typed.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_SUITE("text: typed") {
  TEST_CASE("’ is ' for a vocabulary that knows only ', and a word the one with other capitals") {
    const Tokenizer words(Vocabulary({"Jane", "l'Afrique", "visite", "JANE", "l", "É"}));
    CHECK(as_known(words, "jane  visite l’Afrique") == "Jane  visite l'Afrique");
    CHECK(as_known(words, "JANE Visite l’afrique !") == "JANE visite l'Afrique !");
    CHECK(as_known(words, "janet é ’ l") == "janet é ' l");
    CHECK(as_known(words, "") == "");
  }

  TEST_CASE("a vocabulary that knows ’, or no ' either, is asked for ’") {
    CHECK(as_known(Vocabulary({"l’Afrique", "l'eau"}), "l’eau") == "l’eau");
    CHECK(as_known(Vocabulary({"a"}), "l’eau") == "l’eau");
  }

  TEST_CASE("characters and byte pairs: ’ is ' too, and capitals are their own") {
    UnitCounts counts;
    count_units(Units::byte_pairs, "l'eau l'eau", counts);
    CHECK(as_known(BytePairs::learn(counts, 300), "L’eau") == "L'eau");
    UnitCounts both = counts;
    count_units(Units::byte_pairs, "l’eau l’eau", both);
    CHECK(as_known(BytePairs::learn(both, 300), "L’eau") == "L’eau");
    const Tokenizer letters(most_frequent_words({{"a", 2}, {"'", 1}}, 9, Units::characters));
    CHECK(as_known(letters, "A’a") == "A'a");
  }
}
