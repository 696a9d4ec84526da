#include "text/tokenizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "base/utf8.h"
#include "support/strings.h"

using namespace attn;
using attn::test::learned, attn::test::utf8_of;

namespace {

std::vector<std::string> cut(const Tokenizer& pairs, std::string_view line) {
  std::vector<std::string> tokens;
  for (const int id : pairs.encode(line)) tokens.push_back(pairs.token(id));
  return tokens;
}

using Tokens = std::vector<std::string>;

// Sennrich et al. 2016, Algorithm 1.
const UnitCounts kPaper{{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};

// Lines of every kind of character; spaces, also several, at every place.
std::string random_line(std::uint64_t index) {
  const RandomStream random{3, index};
  constexpr std::uint32_t kRanges[][2] = {
      {'a', 'e'},       {' ', ' '},         {' ', ' '},          {0x01, 0x7E},     {0xA0, 0x17F},
      {0x300, 0x310},   {0x5D0, 0x66D},     {0x2000, 0x206F},    {0x3000, 0x30FF}, {0x4E00, 0x4E20},
      {0xFF00, 0xFFFD}, {0x1F600, 0x1F610}, {0x10FFF0, 0x10FFFF}};
  std::string line;
  const std::uint64_t length = random.below(0, 30);
  for (std::uint64_t i = 0; i < length; ++i) {
    const auto& range = kRanges[random.below(2 * i + 1, std::size(kRanges))];
    const std::uint32_t code =
        range[0] + static_cast<std::uint32_t>(random.below(2 * i + 2, range[1] - range[0] + 1));
    if (code != '\n') line += utf8_of(code);
  }
  return line;
}

Tokens random_lines(std::uint64_t count) {
  Tokens lines;
  for (std::uint64_t i = 0; i < count; ++i) lines.push_back(random_line(i));
  return lines;
}

}  // namespace

TEST_SUITE("5.1 byte pairs") {
  TEST_CASE("the paper's dictionary gives the paper's merges: es, est, est_, lo, low") {
    const Tokenizer pairs = Tokenizer::learn_byte_pairs(kPaper, 400);
    Tokens merged;
    for (const auto& [left, right] : pairs.merges()) {
      merged.push_back(pairs.token(left) + " " + pairs.token(right));
    }
    // 9 times e s, 9 times es t_ and 7 times l o; the end is marked on the last letter here.
    REQUIRE(merged.size() > 3);
    CHECK(Tokens(merged.begin(), merged.begin() + 3) == Tokens{"e s", "es t_", "l o"});
    // A word of the dictionary that was frequent is whole; a new one consists of known parts.
    CHECK(cut(pairs, "newest low") == Tokens{"newest_", "low_"});
    CHECK(cut(pairs, "lowest").front() == "lo");
    CHECK(cut(pairs, "lowest").back() == "est_");
  }

  TEST_CASE("a word is cut by the merges in the order in which they were learned") {
    const Tokenizer pairs = Tokenizer::learn_byte_pairs(kPaper, 400);
    const RandomStream random{7, 0};
    std::uint64_t draw = 0;
    for (int i = 0; i < 500; ++i) {
      std::string word;
      const std::uint64_t length = 1 + random.below(draw++, 12);
      while (word.size() < length) word += "lowensid"[random.below(draw++, 8)];
      CAPTURE(word);
      // By hand: each merge in turn, from left to right.
      Tokens expected;
      for (std::size_t j = 0; j < word.size(); ++j) {
        expected.push_back(word.substr(j, 1) + (j + 1 < word.size() ? "" : "_"));
      }
      // (A last letter that was never last is a token of its own and a mark.)
      if (cut(pairs, word.substr(word.size() - 1)).size() == 2) {
        expected.back().pop_back();
        expected.push_back("_");
      }
      for (const auto& [left, right] : pairs.merges()) {
        for (std::size_t j = 0; j + 1 < expected.size(); ++j) {
          if (expected[j] != pairs.token(left) || expected[j + 1] != pairs.token(right)) continue;
          expected[j] += expected[j + 1];
          expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        }
      }
      REQUIRE(cut(pairs, word) == expected);
    }
  }

  TEST_CASE("each merge is that of the most frequent pair, counted anew, in runs of a letter too") {
    const RandomStream random{11, 0};
    std::uint64_t draw = 0;
    UnitCounts counts;
    for (int i = 0; i < 60; ++i) {
      std::string word;
      const std::uint64_t length = 1 + random.below(draw++, 12);
      while (word.size() < length) word += "aab"[random.below(draw++, 3)];
      counts[word] += 1 + static_cast<std::int64_t>(random.below(draw++, 3));
    }
    const Tokenizer pairs = Tokenizer::learn_byte_pairs(counts, 330);
    REQUIRE(pairs.merges().size() > 40);
    std::map<std::string, int> ids;
    for (int id = Tokenizer::kMark; id < pairs.size(); ++id) ids.emplace(pairs.token(id), id);
    std::vector<std::pair<std::vector<int>, std::int64_t>> words;
    for (const auto& [word, count] : counts) {
      words.push_back({{}, count});
      for (const char letter : word) words.back().first.push_back(ids.at({letter}));
      words.back().first.back() = ids.at({word.back(), '_'});
    }
    for (const auto& merge : pairs.merges()) {
      std::map<std::pair<int, int>, std::int64_t> found;  // in the order of the ids
      for (const auto& [word, count] : words) {
        for (std::size_t i = 0; i + 1 < word.size(); ++i) found[{word[i], word[i + 1]}] += count;
      }
      const auto best =
          std::max_element(found.begin(), found.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      REQUIRE(best->first == merge);
      CHECK(best->second >= 2);
      const int merged = ids.at(pairs.token(merge.first) + pairs.token(merge.second));
      for (auto& [word, count] : words) {
        for (std::size_t i = 0; i + 1 < word.size(); ++i) {
          if (word[i] != merge.first || word[i + 1] != merge.second) continue;
          word[i] = merged;
          word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
      }
    }
  }

  TEST_CASE("a word of thirty thousand letters is learned and cut like any other") {
    const RandomStream random{13, 0};
    for (const std::uint64_t letters : {std::uint64_t{1}, std::uint64_t{26}}) {
      for (const std::size_t length : {std::size_t{1000}, std::size_t{30000}}) {
        CAPTURE(letters);
        CAPTURE(length);
        std::string word;
        while (word.size() < length) {
          word += static_cast<char>('a' + static_cast<char>(random.below(word.size(), letters)));
        }
        const Tokenizer pairs = Tokenizer::learn_byte_pairs({{word, 1}}, 1000);
        const std::vector<int> ids = pairs.encode(word);
        CHECK(ids.size() < length);
        CHECK(pairs.decode(ids) == word);
      }
    }
  }

  TEST_CASE("equally frequent pairs merge in the order of their ids, left before right") {
    // Characters by how often they occur, then by their bytes: b a_ c d_ have ids in that order.
    const Tokenizer pairs = Tokenizer::learn_byte_pairs({{"ba", 3}, {"cd", 2}, {"ef", 2}}, 300);
    REQUIRE(pairs.merges().size() == 3);
    CHECK(pairs.token(pairs.merges()[0].first) == "b");
    CHECK(pairs.token(pairs.merges()[1].first) == "c");
    CHECK(pairs.token(pairs.merges()[2].first) == "e");
  }

  TEST_CASE("the order of the lines makes no difference to what is learned") {
    const Tokens lines = random_lines(500), backward(lines.rbegin(), lines.rend());
    CHECK(learned(Units::byte_pairs, lines, 600).text() ==
          learned(Units::byte_pairs, backward, 600).text());
  }

  TEST_CASE("no pair is merged that occurs once, and no merge crosses the end of a piece") {
    CHECK(Tokenizer::learn_byte_pairs({{"ab", 1}, {"cd", 1}}, 300).merges().empty());
    const Tokenizer pairs =
        learned(Units::byte_pairs, std::vector<std::string>(9, "a. a. a."), 400);
    CHECK(cut(pairs, "a. a.") == Tokens{"a_", ".\\s_", "a_", "._"});
  }

  TEST_CASE("the vocabulary has at most the size asked for, half of the room for characters") {
    UnitCounts counts;
    for (unsigned i = 0; i < 500; ++i) {
      counts[utf8_of(0x4E00 + i) + utf8_of(0x4E01 + i)] = 500 - i;
    }
    const Tokenizer pairs = Tokenizer::learn_byte_pairs(counts, 360);
    CHECK(pairs.size() <= 360);
    int characters = 0;
    for (int id = Tokenizer::kFirstCharacter; id < pairs.size(); ++id) {
      std::string token = pairs.token(id);
      if (token.back() == '_') token.pop_back();
      characters += utf8_character(token) == token.size();
    }
    CHECK(characters == 50);
    CHECK(pairs.merges().size() > 20);
    CHECK(Tokenizer::learn_byte_pairs(kPaper, 275).size() == 275);
    CHECK_ERROR(Tokenizer::learn_byte_pairs(counts, 260),
                doctest::Contains("has more than 260 tokens"));
  }

  TEST_CASE("every line comes back as it was, whatever was seen, and from the file as well") {
    Tokens seen = random_lines(400);
    seen.insert(seen.end(), 3, "a_b \\ \\s \\x41 \x01\x7F\r\t _ __ a_");
    const Tokenizer of_some = learned(Units::byte_pairs, seen, 900);
    const Tokenizer read = Tokenizer::parse(of_some.text(), "t");
    CHECK(read.text() == of_some.text());
    const Tokenizer of_little = Tokenizer::learn_byte_pairs({{"ab", 3}}, 300);
    const Tokenizer of_nothing = Tokenizer::learn_byte_pairs({}, 300);
    for (const std::string& line : random_lines(3000)) {
      CAPTURE(line);
      REQUIRE(first_invalid_utf8(line) == line.size());
      REQUIRE(read.encode(line) == of_some.encode(line));
      for (const Tokenizer* pairs : {&of_some, &of_little, &of_nothing}) {
        const std::vector<int> ids = pairs->encode(line);
        REQUIRE(pairs->decode(ids) == line);
        REQUIRE(std::none_of(ids.begin(), ids.end(), [](int id) { return id < 3; }));
      }
    }
  }

  TEST_CASE(
      "whatever ids a model writes, the line is UTF-8, and has no end of a line or NUL inside") {
    const Tokenizer pairs = Tokenizer::learn_byte_pairs(kPaper, 300);
    const RandomStream random{5, 0};
    for (std::uint64_t i = 0; i < 2000; ++i) {
      std::vector<int> ids;
      for (std::uint64_t j = 0; j < 8; ++j) {
        ids.push_back(
            static_cast<int>(random.below(8 * i + j, static_cast<std::uint64_t>(pairs.size()))));
      }
      const std::string line = pairs.decode(ids);
      REQUIRE(first_invalid_utf8(line) == line.size());
    }
    for (int byte = 0; byte < 256; ++byte) {
      CAPTURE(byte);
      const bool kept = byte < 128 && byte != 0 && byte != '\n';
      CHECK(pairs.decode({Tokenizer::kFirstByte + byte}) ==
            (kept ? std::string(1, static_cast<char>(byte)) : "\uFFFD"));
    }
    // A letter, more bytes of a character's rest than any character has, and the next word. (It
    // would take minutes if each byte were searched for from the beginning.)
    constexpr std::size_t kRests = 400000;
    std::vector<int> rests(kRests + 2, Tokenizer::kFirstByte + 0x80);
    rests.front() = Tokenizer::kFirstByte + 'a';
    rests.back() = Tokenizer::kMark;
    rests.push_back(Tokenizer::kFirstByte + 'b');
    std::string expected = "a";
    for (std::size_t i = 0; i < kRests; ++i) expected += "\uFFFD";
    CHECK((pairs.decode(rests) == expected + " b"));
    CHECK_ERROR(pairs.decode({pairs.size()}), doctest::Contains("there is no token"));
    CHECK_THROWS_AS(pairs.decode({-1}), Error);
  }

  TEST_CASE("a marked character that a merge made waits for that merge, like any other symbol") {
    const UnitCounts counts{{"c", 100}, {"d", 100},  {"e", 100}, {"g", 100},
                            {"h", 100}, {"ffa", 60}, {"bf", 6},  {"ff", 4}};
    const Tokenizer pairs = Tokenizer::learn_byte_pairs(counts, 274);
    REQUIRE(pairs.id("f\xFF") > pairs.id("ff"));  // f_ is no character but a merge of f and _
    CHECK(pairs.encode("ff") == std::vector<int>{pairs.id("ff\xFF")});
  }
}

TEST_SUITE("5.1 pieces") {
  TEST_CASE("pieces are words and what is between them; a single space between words is left out") {
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
    UnitCounts counts;
    count_units(Units::byte_pairs, "a b, a", counts);
    count_units(Units::byte_pairs, "b", counts);
    CHECK(counts == UnitCounts{{"a", 2}, {"b", 2}, {", ", 1}});
  }
}
