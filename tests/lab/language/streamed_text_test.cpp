#include "lab/language/streamed_text.h"

#include <doctest/doctest.h>

#include "base/random.h"
#include "base/utf8.h"
#include "support/strings.h"

using namespace attn;

namespace {

using Ids = std::vector<int>;

Tokenizer byte_pairs() {
  const std::string line = "the cat visits the café. 1 × 2 = «2»!";
  return test::learned(Units::byte_pairs, {line, line}, 330);
}

// What is shown of the tokens, piece by piece.
std::string shown(const Tokenizer& tokenizer, const Ids& ids) {
  StreamedText text(tokenizer);
  std::string all;
  for (const int id : ids) {
    const std::string more = text.add(id);
    CHECK(first_invalid_utf8(more) == more.size());
    all += more;
  }
  return all + text.rest();
}

// The lines of the tokens, decoded one by one.
std::string decoded(const Tokenizer& tokenizer, const Ids& ids) {
  std::string all;
  Ids line;
  for (const int id : ids) {
    if (id == kEos) {
      all += tokenizer.decode(line) + '\n';
      line.clear();
    } else {
      line.push_back(id);
    }
  }
  return all + tokenizer.decode(line);
}

}  // namespace

TEST_SUITE("text: streamed") {
  TEST_CASE("whatever tokens a model writes, what is shown is their text, in whole characters") {
    for (const Tokenizer& tokenizer :
         {Tokenizer(byte_pairs()), Tokenizer({"a", "word", "é"}),
          Tokenizer(most_frequent_words({{"a", 3}, {" ", 2}, {"é", 1}}, 9, Units::characters))}) {
      for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const RandomStream random{seed, 1};
        Ids ids;
        for (std::uint64_t i = 0; i < 60; ++i) {
          const auto size = static_cast<std::uint64_t>(tokenizer.size());
          ids.push_back(static_cast<int>(random.below(i, size)));
          // Bytes of characters that are written one by one, some of them in vain.
          if (seed % 2 == 0 && size > 300 && random.below(100 + i, 3) == 0) {
            for (const char byte : std::string("\xE2\x82\xAC")) {
              ids.push_back(Tokenizer::kFirstByte + static_cast<unsigned char>(byte));
            }
          }
        }
        CHECK(shown(tokenizer, ids) == decoded(tokenizer, ids));
      }
    }
  }

  TEST_CASE("bytes that can be part of no character are shown, and not decoded again and again") {
    const Tokenizer tokenizer = byte_pairs();
    StreamedText text(tokenizer);
    std::string all, broken;
    for (std::size_t i = 1; i <= 10000; ++i) {
      all += text.add(Tokenizer::kFirstByte + (i % 2 == 1 ? 0xF0 : 0x9F));
      broken += "\uFFFD";
      CHECK(2 * (all.size() / 3) + 3 >= i);
    }
    CHECK((all + text.rest() == broken));
  }

  TEST_CASE("a character is shown with its last byte, and a space with the word after it") {
    const Tokenizer tokenizer = byte_pairs();
    StreamedText text(tokenizer);
    const Ids the = tokenizer.encode("the"), cat = tokenizer.encode("cat");
    std::string line;
    for (const int id : the) line += text.add(id);
    CHECK(line == "the");
    line.clear();
    for (const int id : cat) line += text.add(id);
    CHECK(line == " cat");
    CHECK(text.add(Tokenizer::kFirstByte + 0xC3) == "");
    CHECK(text.add(Tokenizer::kFirstByte + 0x97) == "×");
    CHECK(text.add(kEos) == "\n");
    CHECK(text.add(Tokenizer::kFirstByte + 0xC3) == "");
    CHECK(text.rest() == "\uFFFD");
    CHECK(text.rest() == "");
  }
}
