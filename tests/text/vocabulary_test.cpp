#include "text/tokenizer.h"

#include <doctest/doctest.h>

#include <string>

#include "base/check.h"
#include "base/utf8.h"
#include "support/strings.h"

using namespace attn;
using attn::test::learned, attn::test::utf8_of;

namespace {

using Ids = std::vector<int>;

const Tokenizer& five_words() {
  static const Tokenizer vocabulary({"Jane", "visite", "l'Afrique", "en", "septembre"});
  return vocabulary;
}

// The words or characters of a vocabulary, with a space after each.
std::string tokens_of(const Tokenizer& vocabulary) {
  std::string all;
  for (int id = kSpecialTokens; id < vocabulary.size(); ++id) all += vocabulary.token(id) + ' ';
  return all;
}

// As it is read back from the file.
Tokenizer again(const Tokenizer& vocabulary) {
  return Tokenizer::parse(vocabulary.text(), "t");
}

}  // namespace

TEST_SUITE("text: vocabulary") {
  TEST_CASE("the special tokens are ids 0, 1, 2 and words follow in order") {
    CHECK(Tokenizer().size() == 3);
    CHECK(five_words().size() == 8);
    CHECK(five_words().token(0) == "<unk>");
    CHECK(five_words().token(1) == "<bos>");
    CHECK(five_words().token(2) == "<eos>");
    CHECK(tokens_of(five_words()) == "Jane visite l'Afrique en septembre ");
    for (int id = 3; id < 8; ++id) CHECK(five_words().id(five_words().token(id)) == id);
    CHECK_ERROR(five_words().token(8), "there is no token 8: the vocabulary has 8");
    CHECK_THROWS_AS(five_words().token(-1), Error);
  }

  TEST_CASE(
      "words become ids and ids words; one that the vocabulary lacks is <unk>, and is shown so") {
    CHECK(five_words().encode("\ten  Jane\r") == Ids{6, 3});
    CHECK(five_words().encode("").empty());
    CHECK(five_words().encode("jane visite Jan septembres") == Ids{0, 4, 0, 0});
    CHECK(five_words().decode({3, 0, 5, 7}) == "Jane <unk> l'Afrique septembre");
    CHECK(five_words().id("") == kUnknown);
  }

  TEST_CASE("nobody can type a special token, and none in a corpus becomes a word") {
    CHECK(five_words().encode("<unk> <bos> <eos>") == Ids{0, 0, 0});
    CHECK(five_words().encode("Jane<eos>") == Ids{0});
    UnitCounts counts;
    count_units(Units::words, "<eos> <eos> <unk> a", counts);
    CHECK(tokens_of(most_frequent_words(counts, 4)) == "a ");
  }

  TEST_CASE("decoding leaves out where sentences begin and end, and checks every id") {
    CHECK(five_words().decode({1, 3, 4, 2}) == "Jane visite");
    CHECK(five_words().decode({1, 2}) == "");
    CHECK(five_words().decode({2, 6}) == "en");
    CHECK_THROWS_AS(five_words().decode({3, 8}), Error);
    CHECK_THROWS_AS(five_words().decode({-1}), Error);
  }

  TEST_CASE("a word that could not be read back is refused") {
    Tokenizer vocabulary({"a"});
    const auto refused = [&](std::string_view word, const char* message) {
      CHECK_ERROR(vocabulary.add(word, "here"), message);
    };
    refused("", "here: an empty token");
    refused("a b", "here: white space inside a token");
    refused("b\n", "here: white space inside a token");
    refused("b\xC3", "here: a token that is not UTF-8");
    refused(std::string_view("b\0", 2), "here: a NUL byte inside a token");
    refused("a", "here: the same token as token 3 (counted from 0)");
    refused("<eos>", "here: the special token <eos> a second time");
    CHECK(vocabulary.size() == 4);
    CHECK_ERROR(Tokenizer({"a", "b", "a"}), "word 5: the same token as token 3 (counted from 0)");
  }

  TEST_CASE("the most frequent words are kept, equally frequent ones by their bytes") {
    UnitCounts counts;
    count_units(Units::words, "b a c a é Z", counts);
    count_units(Units::words, "  c\ta b \r", counts);
    CHECK(counts == UnitCounts{{"a", 3}, {"b", 2}, {"c", 2}, {"Z", 1}, {"é", 1}});
    // Bytes are compared without sign: é (0xC3 0xA9) comes after Z.
    CHECK(tokens_of(most_frequent_words(counts, 100)) == "a b c Z é ");
    CHECK(tokens_of(most_frequent_words(counts, 5)) == "a b ");
    CHECK(most_frequent_words(counts, 8).size() == 8);
    CHECK(most_frequent_words({}, 4).size() == 3);
    CHECK_THROWS_AS(most_frequent_words(counts, 3), Error);
    CHECK_THROWS_AS(most_frequent_words(counts, -1), Error);
  }
}

TEST_SUITE("text: characters") {
  TEST_CASE("any line that was learned from comes back as it was, a character per token") {
    const std::vector<std::string> lines{"Hello, world!",        "  two  spaces ",
                                         "\ttab\\s_\x7F\x01\r!", "été 日本語 🙂 e\u0301",
                                         "<unk> <eos>",          ""};
    const Tokenizer vocabulary = learned(Units::characters, lines, 1000);
    for (const std::string& line : lines) {
      const Ids ids = vocabulary.encode(line);
      CHECK(ids.size() == characters(line).size());
      for (const int id : ids) CHECK(id >= kSpecialTokens);
      CHECK(vocabulary.decode(ids) == line);
      CHECK(again(vocabulary).decode(ids) == line);
    }
    CHECK(vocabulary.encode("aé🙂") != vocabulary.encode("a🙂é"));
    // Every character that a line can hold is written and read back.
    std::string line;
    for (unsigned code = 1; code < 0x3000; ++code) {
      if (code != '\n') line += utf8_of(code);
    }
    const Tokenizer read = again(learned(Units::characters, {line}, 20000));
    CHECK(read.size() == kSpecialTokens + 0x3000 - 2);
    CHECK(read.decode(read.encode(line)) == line);
  }

  TEST_CASE("the rarest characters are left out, and are <unk>, which is shown as U+FFFD") {
    const Tokenizer vocabulary = learned(Units::characters, {"aaa bb", "b c"}, 6);
    CHECK(tokens_of(vocabulary) == "a b \\s ");
    CHECK(vocabulary.encode("a cab") == Ids{3, 5, 0, 3, 4});
    CHECK(vocabulary.decode({1, 3, 5, 0, 3, 4, 2}) == "a \uFFFDab");
    CHECK(vocabulary.id("\n") == kUnknown);
  }
}
