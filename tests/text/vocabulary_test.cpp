#include "text/vocabulary.h"

#include <string>

#include <doctest/doctest.h>
#include "base/check.h"
#include "base/utf8.h"
#include "support/strings.h"
#include "text/tokenizer.h"

using namespace attn;
using attn::test::utf8_of;

namespace {

using Ids = std::vector<int>;

const Vocabulary& french() {
  static const Vocabulary vocabulary({"Jane", "visite", "l'Afrique", "en", "septembre"});
  return vocabulary;
}

Vocabulary parsed(std::string_view contents) {
  return Vocabulary::parse(contents, "t");
}

const std::string kSpecials = "<unk>\n<bos>\n<eos>\n";

}  // namespace

TEST_SUITE("text: vocabulary") {
  TEST_CASE("the special tokens are ids 0, 1, 2 and words follow in order") {
    CHECK(Vocabulary().size() == 3);
    CHECK(french().size() == 8);
    CHECK(french().token(0) == "<unk>");
    CHECK(french().token(1) == "<bos>");
    CHECK(french().token(2) == "<eos>");
    CHECK(french().token(7) == "septembre");
    for (int id = 3; id < 8; ++id) CHECK(french().id(french().token(id)) == id);
    CHECK_THROWS_WITH_AS(french().token(8), "there is no token 8: the vocabulary has 8", Error);
    CHECK_THROWS_AS(french().token(-1), Error);
  }

  TEST_CASE("a sentence's words become their ids and the ids the sentence") {
    CHECK(french().encode("Jane visite l'Afrique en septembre") == Ids{3, 4, 5, 6, 7});
    CHECK(french().encode("\ten  Jane\r") == Ids{6, 3});
    CHECK(french().encode("").empty());
    CHECK(french().decode({3, 4, 5, 6, 7}) == "Jane visite l'Afrique en septembre");
    CHECK(french().decode({}) == "");
  }

  TEST_CASE("a word the vocabulary lacks is <unk>, and is shown as such") {
    CHECK(french().encode("jane visite Jan septembres") == Ids{0, 4, 0, 0});
    CHECK(french().decode(french().encode("Jane aime septembre")) == "Jane <unk> septembre");
    CHECK(french().id("") == kUnknown);
  }

  TEST_CASE("nobody can type a special token") {
    CHECK(french().encode("<unk> <bos> <eos>") == Ids{0, 0, 0});
    CHECK(french().encode("Jane<eos>") == Ids{0});
    CHECK(french().id("<eos>") == kUnknown);
    CHECK(french().id("<bos>") == kUnknown);
  }

  TEST_CASE("decoding leaves out where sentences begin and end, and checks every id") {
    CHECK(french().decode({1, 3, 4, 2}) == "Jane visite");
    CHECK(french().decode({1, 2}) == "");
    CHECK(french().decode({2, 6}) == "en");
    CHECK_THROWS_AS(french().decode({3, 8}), Error);
    CHECK_THROWS_AS(french().decode({-1}), Error);
  }

  TEST_CASE("a copy of a vocabulary lives on its own") {
    Vocabulary copy;
    {
      const Vocabulary original({"a", "a-word-too-long-for-any-small-string"});
      copy = original;
    }
    CHECK(copy.encode("a word") == Ids{3, 0});
    copy.add("word", "here");
    CHECK(copy.encode("a word") == Ids{3, 5});
    CHECK(copy.id("a-word-too-long-for-any-small-string") == 4);
  }

  TEST_CASE("a word that could not be read back is refused") {
    Vocabulary vocabulary({"a"});
    CHECK_THROWS_WITH_AS(vocabulary.add("", "here"), "here: an empty token", Error);
    CHECK_THROWS_WITH_AS(vocabulary.add("a b", "here"), "here: white space inside a token", Error);
    CHECK_THROWS_WITH_AS(vocabulary.add("b\n", "here"), "here: white space inside a token", Error);
    CHECK_THROWS_WITH_AS(vocabulary.add("b\xC3", "here"), "here: a token that is not UTF-8", Error);
    CHECK_THROWS_WITH_AS(vocabulary.add(std::string_view("b\0", 2), "here"),
                         "here: a NUL byte inside a token", Error);
    CHECK_THROWS_WITH_AS(vocabulary.add("a", "here"),
                         "here: the same token as token 3 (counted from 0)", Error);
    CHECK_THROWS_WITH_AS(vocabulary.add("<eos>", "here"),
                         "here: the special token <eos> a second time", Error);
    CHECK(vocabulary.size() == 4);
    CHECK_THROWS_WITH_AS(Vocabulary({"a", "b", "a"}),
                         "word 5: the same token as token 3 (counted from 0)", Error);
  }

  TEST_CASE("the most frequent words are kept, equally frequent ones by their bytes") {
    UnitCounts counts;
    count_units(Units::words, "b a c a é Z", counts);
    count_units(Units::words, "  c\ta b \r", counts);
    CHECK(counts.at("a") == 3);
    CHECK(counts.at("b") == 2);
    CHECK(counts.at("Z") == 1);
    CHECK(counts.size() == 5);
    // Bytes are compared without sign: é (0xC3 0xA9) comes after Z.
    CHECK(most_frequent_words(counts, 100).text() ==
          "attention-tokenizer 1 words\n8\n" + kSpecials + "a\nb\nc\nZ\né\n");
    CHECK(most_frequent_words(counts, 5).text() ==
          "attention-tokenizer 1 words\n5\n" + kSpecials + "a\nb\n");
    CHECK(most_frequent_words(counts, 8).size() == 8);
    CHECK(most_frequent_words({}, 4).size() == 3);
    CHECK_THROWS_AS(most_frequent_words(counts, 3), Error);
    CHECK_THROWS_AS(most_frequent_words(counts, -1), Error);
  }

  TEST_CASE("a special token in a corpus takes no place among the words") {
    UnitCounts counts;
    count_units(Units::words, "<eos> <eos> <unk> a", counts);
    const Vocabulary vocabulary = most_frequent_words(counts, 4);
    CHECK(vocabulary.size() == 4);
    CHECK(vocabulary.token(3) == "a");
  }
}

TEST_SUITE("text: tokenizer.txt") {
  TEST_CASE("a vocabulary is written and read back as it was") {
    const std::string contents = french().text();
    CHECK(contents == "attention-tokenizer 1 words\n8\n" + kSpecials +
                          "Jane\nvisite\nl'Afrique\nen\nseptembre\n");
    CHECK(parsed(contents).text() == contents);
    CHECK(parsed(contents).encode("en septembre <eos> Jane") == Ids{6, 7, 0, 3});
    CHECK(parsed(Vocabulary().text()).size() == 3);
  }

  TEST_CASE("what is wrong with a file is said, and where") {
    const std::string words = "attention-tokenizer 1 words\n";
    const auto error = [](const std::string& contents, const std::string& message) {
      CHECK_THROWS_WITH_AS(parsed(contents), message.c_str(), Error);
    };
    error("", "t is empty, expected a tokenizer");
    const std::string other = "t, line 1: expected 'attention-tokenizer 1 words'";
    error("\n", other);
    error("attention-tokenizer 2 words\n3\n" + kSpecials, other);
    error("attention-tokenizer 1 words \n3\n" + kSpecials, other);
    error("attention-tokenizer 1 words\r\n3\r\n<unk>\r\n<bos>\r\n<eos>\r\n", other);
    const std::string cut = "t does not end in a newline: is it cut short?";
    error("attention-tokenizer 1 words", cut);
    error(words + "4\n" + kSpecials + "hell", cut);
    const std::string early =
        "t ends before the special tokens <unk>, <bos> and <eos>: is it cut short?";
    error(words, early);
    error(words + "2\n<unk>\n<bos>\n", early);
    const std::string four = "t, line 2: expected 4, the number of lines (tokens) that follow";
    for (const std::string count : {"3", "5", "04", "+4", "4 ", " 4", "4x", "", "-4", "four",
                                    "99999999999999999999", "4294967300"}) {
      error(words + count + "\n" + kSpecials + "a\n", four);
    }
    error(words + "4\n" + kSpecials + "a\nb\n",
          "t, line 2: expected 5, the number of lines (tokens) that follow");
    error(words + "4\n<unk>\n<eos>\n<bos>\na\n", "t, line 4: expected the special token <bos>");
    error(words + "3\na\nb\nc\n", "t, line 3: expected the special token <unk>");
    error(words + "4\n" + kSpecials + "\n", "t, line 6: an empty token");
    error(words + "5\n" + kSpecials + "a\nb c\n", "t, line 7: white space inside a token");
    error(words + "4\n" + kSpecials + "a\r\n", "t, line 6: white space inside a token");
    error(words + "4\n" + kSpecials + "\xC0\x80\n", "t, line 6: a token that is not UTF-8");
    error(words + "5\n" + kSpecials + "a\na\n",
          "t, line 7: the same token as token 3 (counted from 0)");
    error(words + "4\n" + kSpecials + "<bos>\n",
          "t, line 6: the special token <bos> a second time");
    error(words + "4\n" + kSpecials + std::string("a\0\n", 3),
          "t, line 6: a NUL byte inside a token");
  }

  TEST_CASE("whatever one byte of a file becomes, it is an error or means exactly that file") {
    const std::string good = "attention-tokenizer 1 words\n6\n" + kSpecials + "août\nb\nbc\n";
    int accepted = 0;
    const auto try_reading = [&accepted](const std::string& contents) {
      try {
        CHECK(parsed(contents).text() == contents);
        ++accepted;
      } catch (const Error&) {
      }
    };
    for (std::size_t place = 0; place < good.size(); ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = good;
        changed[place] = static_cast<char>(byte);
        try_reading(changed);
      }
      std::string shorter = good;
      try_reading(shorter.erase(place, 1));
    }
    CHECK(accepted > 500);  // any letter of a word may be another

    for (std::size_t length = 0; length < good.size(); ++length) {
      CHECK_THROWS_AS(parsed(good.substr(0, length)), Error);
    }
  }
}

namespace {

Vocabulary learned_characters(const std::vector<std::string>& lines, Index size = 1000) {
  UnitCounts counts;
  for (const std::string& line : lines) count_units(Units::characters, line, counts);
  return most_frequent_words(counts, size, Units::characters);
}

const std::string kChar = "attention-tokenizer 1 char\n";

}  // namespace

TEST_SUITE("text: characters") {
  TEST_CASE("any line that was learned from comes back as it was, a character per token") {
    const std::vector<std::string> lines{"Hello, world!",        "  two  spaces ",
                                         "\ttab\\s_\x7F\x01\r!", "été 日本語 🙂 e\u0301",
                                         "<unk> <eos>",          ""};
    const Vocabulary vocabulary = learned_characters(lines);
    for (const std::string& line : lines) {
      const Ids ids = vocabulary.encode(line);
      CHECK(ids.size() == characters(line).size());
      for (const int id : ids) CHECK(id >= kSpecialTokens);
      CHECK(vocabulary.decode(ids) == line);
      CHECK(Vocabulary::parse(vocabulary.text(), "t", Units::characters).decode(ids) == line);
    }
    CHECK(vocabulary.encode("aé🙂") != vocabulary.encode("a🙂é"));
  }

  TEST_CASE("every character that a line can hold is written and read back") {
    std::vector<std::string> lines(1);
    for (unsigned code = 1; code < 0x3000; ++code) {
      if (code != '\n') lines[0] += utf8_of(code);
    }
    const Vocabulary vocabulary = learned_characters(lines, 20000);
    CHECK(vocabulary.size() == kSpecialTokens + 0x3000 - 2);
    const Vocabulary read = Vocabulary::parse(vocabulary.text(), "t", Units::characters);
    CHECK(read.text() == vocabulary.text());
    CHECK(read.decode(read.encode(lines[0])) == lines[0]);
  }

  TEST_CASE("the rarest characters are left out, and are <unk>, which is shown as U+FFFD") {
    const Vocabulary vocabulary = learned_characters({"aaa bb", "b c"}, 6);
    CHECK(vocabulary.text() == kChar + "6\n" + kSpecials + "a\nb\n\\s\n");
    CHECK(vocabulary.encode("a cab") == Ids{3, 5, 0, 3, 4});
    CHECK(vocabulary.decode({1, 3, 5, 0, 3, 4, 2}) == "a \uFFFDab");
    CHECK(vocabulary.id("\n") == kUnknown);
  }

  TEST_CASE("what is wrong with a file of characters is said, and where") {
    const auto error = [](const std::string& contents, const std::string& message) {
      CHECK_THROWS_WITH_AS(Vocabulary::parse(contents, "t", Units::characters), message.c_str(),
                           Error);
    };
    const auto token = [](const std::string& line) {
      return kChar + "4\n" + kSpecials + line + "\n";
    };
    error(token("ab"), "t, line 6: not one character of a line");
    error(token("\\x0A"), "t, line 6: not one character of a line");
    error(token("\\x00"), "t, line 6: a NUL byte inside a token");
    error(token("_"), "t, line 6: a token that is not UTF-8");
    error(token("\\x41"), "t, line 6: a token that is not written as the program writes it");
    error(token(" "), "t, line 6: a token that is not written as the program writes it");
    error(token(""), "t, line 6: an empty token");
    error(kChar + "5\n" + kSpecials + "a\na\n",
          "t, line 7: the same token as token 3 (counted from 0)");
    error("attention-tokenizer 1 words\n3\n" + kSpecials,
          "t, line 1: expected 'attention-tokenizer 1 char'");
  }
}
