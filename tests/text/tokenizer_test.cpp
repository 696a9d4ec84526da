#include "text/tokenizer.h"

#include <doctest/doctest.h>
#include "base/check.h"

using namespace attn;

namespace {

const Vocabulary& french() {
  static const Vocabulary vocabulary({"Jane", "visite", "l'Afrique"});
  return vocabulary;
}

BytePairs learned() {
  UnitCounts counts;
  for (int i = 0; i < 2; ++i) count_units(Units::byte_pairs, "Jane visite l'Afrique", counts);
  return BytePairs::learn(counts, 300);
}

Vocabulary letters() {
  return most_frequent_words({{"J", 3}, {" ", 2}, {"\u00E9", 1}}, 6, Units::characters);
}

}  // namespace

TEST_SUITE("text: tokenizer") {
  TEST_CASE("a tokenizer of either kind cuts, joins and writes as that kind does") {
    const std::string line = "Jane visite Rome";
    const auto same = [&](const Tokenizer& tokenizer, const auto& kind) {
      CHECK(tokenizer.size() == kind.size());
      CHECK(tokenizer.encode(line) == kind.encode(line));
      CHECK(tokenizer.decode(tokenizer.encode(line)) == kind.decode(kind.encode(line)));
      CHECK(tokenizer.token(kind.size() - 1) == kind.token(kind.size() - 1));
      CHECK(tokenizer.text() == kind.text());
      CHECK(Tokenizer::parse(kind.text(), "t").text() == kind.text());
      CHECK(Tokenizer::parse(kind.text(), "t").encode(line) == kind.encode(line));
      CHECK_THROWS_AS(tokenizer.token(kind.size()), Error);
    };
    same(french(), french());
    same(learned(), learned());
    same(letters(), letters());
    CHECK(Tokenizer().size() == kSpecialTokens);
  }

  TEST_CASE("only a vocabulary of words or characters has some that it does not know") {
    const std::string line = " Rome  visite <unk> Jane";
    CHECK(Tokenizer(french()).unknown_words(line) ==
          std::vector<std::string_view>{"Rome", "<unk>"});
    CHECK(Tokenizer(learned()).unknown_words(line).empty());
    CHECK(Tokenizer(letters()).unknown_words("J\u00E8 a") ==
          std::vector<std::string_view>{"\u00E8", "a"});
  }

  TEST_CASE("the kind is read from the first line of a file, and another is refused") {
    CHECK(Tokenizer::parse(french().text(), "t").words() != nullptr);
    CHECK(Tokenizer::parse(learned().text(), "t").words() == nullptr);
    CHECK_THROWS_WITH_AS(Tokenizer::parse("", "t"), "t is empty, expected a tokenizer", Error);
    for (const std::string contents :
         {"attention-tokenizer 2 words\n3\n", "attention-tokenizer 1 \n", "\n",
          "attention-tokenizer 1 words\r\n3\r\n", "attention-tokenizer 1 words bpe\n"}) {
      CAPTURE(contents);
      CHECK_THROWS_WITH_AS(
          Tokenizer::parse(contents, "t"),
          "t, line 1: expected \"attention-tokenizer 1 words\", \"attention-tokenizer 1 char\" or "
          "\"attention-tokenizer 1 bpe\": not a tokenizer, or one of another version",
          Error);
    }
  }
}
