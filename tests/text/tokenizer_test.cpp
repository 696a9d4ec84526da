#include "text/tokenizer.h"

#include <doctest/doctest.h>
#include "base/check.h"
#include "support/strings.h"

using namespace attn;

namespace {

const Tokenizer& french() {
  static const Tokenizer vocabulary({"Jane", "visite", "l'Afrique"});
  return vocabulary;
}

Tokenizer learned() {
  return Tokenizer::learn_byte_pairs({{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}}, 300);
}

Tokenizer three_characters() {
  return most_frequent_words({{"J", 3}, {" ", 2}, {"\u00E9", 1}}, 6, Units::characters);
}

const std::string kWords = "attention-tokenizer 1 words\n", kChar = "attention-tokenizer 1 char\n",
                  kSpecials = "<unk>\n<bos>\n<eos>\n";

void refused(const std::string& contents, const std::string& message) {
  CAPTURE(contents);
  CHECK_ERROR(Tokenizer::parse(contents, "t"), message.c_str());
}

}  // namespace

TEST_SUITE("text: tokenizer") {
  TEST_CASE("only a vocabulary of words or characters has some that it does not know") {
    using Words = std::vector<std::string_view>;
    CHECK(french().unknown_words(" Rome  visite <unk> Jane") == Words{"Rome", "<unk>"});
    CHECK(learned().unknown_words(" Rome").empty());
    CHECK(three_characters().unknown_words("J\u00E8 a") == Words{"\u00E8", "a"});
  }
}

TEST_SUITE("text: tokenizer.txt") {
  TEST_CASE("the file has a heading, the number of tokens, and the tokens") {
    CHECK(french().text() == kWords + "6\n" + kSpecials + "Jane\nvisite\nl'Afrique\n");
    CHECK(three_characters().text() == kChar + "6\n" + kSpecials + "J\n\\s\n\u00E9\n");
    const std::string pairs = learned().text();
    CHECK(pairs.find("attention-tokenizer 1 bpe\n" + std::to_string(learned().size()) +
                     "\n<unk>\n<bos>\n<eos>\n\\x00\n") == 0);
    CHECK(pairs.find("\ne s\nes t_\nl o\n") != pairs.npos);
  }

  TEST_CASE("what is wrong with a file is said, and where") {
    refused("", "t is empty, expected a tokenizer");
    for (const std::string contents :
         {"attention-tokenizer 2 words\n3\n", "attention-tokenizer 1 \n", "\n",
          "attention-tokenizer 1 words \n3\n"}) {
      refused(contents,
              "t, line 1: expected \"attention-tokenizer 1 words\", \"attention-tokenizer 1 char\" "
              "or \"attention-tokenizer 1 bpe\": not a tokenizer, or one of another version");
    }
    for (const std::string& contents :
         {"\xEF\xBB\xBF" + kWords, std::string("attention-tokenizer 1 words\r\n3\r\n")}) {
      refused(contents,
              "t, line 1: another program has put a byte order mark or carriage returns "
              "into this file; use a copy that has none");
    }
    const std::string cut = "t does not end in a newline: is it cut short?";
    refused("attention-tokenizer 1 words", cut);
    refused(kWords + "4\n" + kSpecials + "hell", cut);
    refused(kWords + "2\n<unk>\n<bos>\n", "t, line 2: expected 3");
    for (const std::string count : {"3", "5", "04", "+4", "4 ", " 4", "4x", "", "-4", "four",
                                    "99999999999999999999", "4294967300"}) {
      refused(kWords + count + "\n" + kSpecials + "a\n",
              "t, line 2: expected the number of tokens, 4, as so many lines follow; is the file "
              "cut short?");
    }
    refused(kWords + "4\n<unk>\n<eos>\n<bos>\na\n", "t, line 4: expected <bos>");
    refused(kWords + "3\na\nb\nc\n", "t, line 3: expected <unk>");
    refused(kWords + "5\n" + kSpecials + "a\nb c\n", "t, line 7: white space inside a token");
    refused(kWords + "5\n" + kSpecials + "a\na\n",
            "t, line 7: the same token as token 3 (counted from 0)");
  }

  TEST_CASE("what is wrong with a file of characters is said, and where") {
    const auto token = [](const std::string& line, const std::string& message) {
      refused(kChar + "4\n" + kSpecials + line + "\n", "t, line 6: " + message);
    };
    token("ab", "not one character of a line");
    token("\\x0A", "not one character of a line");
    token("\\x00", "a NUL byte inside a token");
    token("_", "a token that is not UTF-8");
    token("\\x41", "expected A");
    token(" ", "expected \\s");
    token("\\q", "expected q");
    token("\\", "a NUL byte inside a token");
    token("", "an empty token");
  }

  TEST_CASE("whatever one byte of a file becomes, it is an error or means exactly that file") {
    const std::string good = kWords + "6\n" + kSpecials + "août\nb\nbc\n";
    int accepted = 0;
    const auto try_reading = [&accepted](const std::string& contents) {
      try {
        const Tokenizer read = Tokenizer::parse(contents, "t");
        CHECK(read.text() == contents);
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
  }

  TEST_CASE("a damaged file of byte pairs is refused, with the line and what was expected") {
    const std::string good = learned().text();
    const auto refuses = [&](const std::string& from, const std::string& to,
                             const std::string& message) {
      std::string bad = good;
      REQUIRE(bad.find(from) != bad.npos);
      bad.replace(bad.find(from), from.size(), to);
      CAPTURE(to);
      CHECK_ERROR(Tokenizer::parse(bad, "t"), doctest::Contains(message.c_str()));
    };
    refuses("bpe", "char", "t, line 2: expected the number of tokens");
    refuses("\n<unk>", "x\n<unk>", "t, line 2: expected the number of tokens, at most ");
    refuses("\n<unk>", "0\n<unk>", "t, line 2: expected the number of tokens, at most ");
    refuses(std::to_string(learned().size()), "12", "t, line 2: expected at least 260");
    refuses("\n\\x41\n", "\n\\x42\n", "expected \\x41");
    refuses("\ne s\n", "\ne q\n", "expected a merge, two tokens and a space between them");
    refuses("\ne s\n", "\ne s s\n", "expected a merge, two tokens and a space between them");
    const std::string one_more = "line 2: expected " + std::to_string(learned().size() + 1);
    refuses("\ne s\n", "\ns e\n", "no merge makes the token es; the file is cut short");
    refuses("\nes\n", "\ne_s\n", one_more);  // what e and s make is not there
    refuses("\nes\n", "\ne\n", "a token that is empty, not UTF-8 or there already");
    refuses("\nes\n", "\n\n", "a token that is empty, not UTF-8 or there already");
    refuses("\nes\n", "\n\\xC3\n", one_more);
    refuses("\nes\n", "\n\xC3\n", "a token that is empty, not UTF-8 or there already");
  }

  TEST_CASE("a file that was cut short is refused, wherever") {
    for (const Tokenizer& tokenizer : {french(), three_characters(), learned()}) {
      const std::string good = tokenizer.text();
      // (Merges of which none is needed for a token may be missing at the end.)
      const std::size_t needed =
          tokenizer.units() == Units::byte_pairs ? good.size() - 20 : good.size();
      for (std::size_t size = 0; size < needed; ++size) {
        CHECK_THROWS_AS(Tokenizer::parse(good.substr(0, size), "t"), Error);
      }
    }
  }
}

TEST_SUITE("text: typed") {
  TEST_CASE("’ is ' for a vocabulary that knows only ', and a word the one with other capitals") {
    const Tokenizer words({"Jane", "l'Afrique", "visite", "JANE", "l", "École", "×"});
    CHECK(as_known(words, "jane  visite l’Afrique") == "Jane  visite l'Afrique");
    CHECK(as_known(words, "JANE Visite l’afrique !") == "JANE visite l'Afrique !");
    CHECK(as_known(words, "janet école ÉCOLE ÷ ’ l") == "janet École École ÷ ' l");
    CHECK(as_known(words, "") == "");
    CHECK(as_known(Tokenizer({"l’Afrique", "l'eau"}), "l’eau") == "l’eau");
    CHECK(as_known(Tokenizer({"a"}), "l’eau") == "l’eau");
    // Among characters and byte pairs, capitals are their own.
    const std::string one = "l'eau l'eau", other = "l’eau l’eau";
    CHECK(as_known(test::learned(Units::byte_pairs, {one}, 300), "L’eau") == "L'eau");
    CHECK(as_known(test::learned(Units::byte_pairs, {one, other}, 300), "L’eau") == "L’eau");
    CHECK(as_known(test::learned(Units::characters, {"aa'"}, 9), "A’a") == "A'a");
  }
}
