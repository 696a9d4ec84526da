#include "app/terminal/unknown_words.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_SUITE("unknown words") {
  TEST_CASE("letters only: every word is one character, however many bytes that is") {
    CHECK(knows_letters_only(Tokenizer({"a", "é", "字"})));
    CHECK(!knows_letters_only(Tokenizer({"a", "bc"})));
    CHECK(!knows_letters_only(Tokenizer({"l'Afrique"})));
    CHECK(!knows_letters_only(Tokenizer(Units::characters)));
    CHECK(!knows_letters_only(Tokenizer()));
  }
}
