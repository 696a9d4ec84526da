#include "text/corpus.h"

#include <string>

#include <doctest/doctest.h>
#include "base/check.h"
#include "storage/atomic_file.h"
#include "support/small_models.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

using namespace attn;
using attn::test::contains;
using attn::test::TemporaryDirectory;

namespace {

using Ids = std::vector<int>;

const Tokenizer& letters() {
  static const Tokenizer vocabulary({"a", "b", "c"});  // 3, 4, 5
  return vocabulary;
}

// Two files with these contents, read as parallel text.
std::vector<TextPair> read_pair(const std::string& source, const std::string& target) {
  const TemporaryDirectory directory;
  return read_parallel_text(directory.file("s", source), directory.file("t", target));
}

std::string error_of(const std::string& source, const std::string& target) {
  return test::thrown_by([&] { read_pair(source, target); });
}

}  // namespace

TEST_SUITE("text: corpus") {
  TEST_CASE("line n of one file belongs to line n of the other, whatever ends the lines") {
    const std::vector<TextPair> pairs = read_pair("a b\r\n\r\nc", "b a\nb\nc\n");
    REQUIRE(pairs.size() == 3);
    CHECK(pairs[0].source == "a b");
    CHECK(pairs[0].target == "b a");
    CHECK(pairs[1].source == "");
    CHECK(pairs[1].target == "b");
    CHECK(pairs[2].source == "c");
    CHECK(pairs[2].target == "c");
  }

  TEST_CASE("a text is one stream, in which each line ends in <eos>") {
    CHECK(text_stream(letters(), {"b c", "", "c"}) == Ids{4, 5, kEos, kEos, 5, kEos});
    CHECK(text_stream(letters(), {}).empty());
  }

  TEST_CASE("files that cannot be parallel text are errors that name the file") {
    const std::string shorter = error_of("a\nb\n", "a\n");
    CHECK(contains(shorter, "s has 2 lines and "));
    CHECK(contains(shorter, "t has 1: expected line n of one to be"));
    CHECK(contains(error_of("a\n", "a\n\n"), "s has 1 line and "));
    CHECK(contains(error_of("", "a\n"), "s is empty, expected lines of text"));
    CHECK(contains(error_of("a\n", ""), "t is empty, expected lines of text"));
    CHECK(contains(error_of("a\n", "b\xFF\n"), "t, line 1, byte 2: not UTF-8 (0xFF)"));
    CHECK(contains(error_of(std::string("a\n\0\n", 4), "b\nb\n"), "s, line 2, byte 1: a NUL"));
    const TemporaryDirectory directory;
    CHECK_THROWS_AS(read_parallel_text(directory.path("s"), directory.path("t")), Error);
  }

  TEST_CASE("a source ends in <eos>, a target begins with <bos> and ends in <eos>") {
    CHECK(encode_source(letters(), "a b c") == Ids{3, 4, 5, kEos});
    CHECK(encode_target(letters(), "c x") == Ids{kBos, 5, kUnknown, kEos});
    CHECK(encode_source(letters(), "") == Ids{kEos});
    CHECK(encode_target(letters(), " ") == Ids{kBos, kEos});
    // What a user types can neither begin nor end a sentence.
    CHECK(encode_target(letters(), "<bos> <eos>") == Ids{kBos, kUnknown, kUnknown, kEos});

    const Corpus corpus = encode_corpus({{"a b", "c"}}, letters());
    REQUIRE(corpus.pairs.size() == 1);
    CHECK(corpus.pairs[0].source == Ids{3, 4, kEos});
    CHECK(corpus.pairs[0].target == Ids{kBos, 5, kEos});
  }

  TEST_CASE("pairs that are empty, too long, very uneven or repeated are left out and counted") {
    const auto check = [](const std::vector<TextPair>& lines, Index longest,
                          const std::vector<std::size_t>& kept, const char* left_out) {
      const Corpus corpus = encode_corpus(lines, letters(), longest);
      CHECK(corpus.lines == kept);
      REQUIRE(corpus.pairs.size() == kept.size());
      for (std::size_t i = 0; i < kept.size(); ++i) {
        CHECK(corpus.pairs[i].source == encode_source(letters(), lines[kept[i]].source));
      }
      CHECK(left_out_text(corpus.left_out) == left_out);
    };
    check({{"a", "b"}}, kAnyLength, {0}, "");
    check({{"a", "b"}, {"", "b"}, {"a", " \t"}, {"", ""}, {"c", "c"}}, kAnyLength, {0, 4},
          "3 with an empty side");
    // Two words and <eos> (of a source) or <bos> (before a target) are three positions.
    const std::vector<TextPair> lengths = {
        {"a b", "a b"}, {"a b c", "a"}, {"a", "a b c"}, {"", "a b c"}, {"a", "a"}};
    check(lengths, 2, {4}, "1 with an empty side, 3 too long");
    check(lengths, 3, {0, 4}, "1 with an empty side, 2 too long");
    check(lengths, 4, {0, 1, 2, 4}, "1 with an empty side");
    check({{"a", "a b c d e f g h a"},
           {"a", "a b c d e f g h a b"},
           {"b", "a"},
           {"a", "b"},
           {"b", "a"},
           {"b", "b"},
           {"b", "a"},
           {"a b", ""}},
          kAnyLength, {0, 2, 3, 5},
          "1 with an empty side, 1 whose lengths differ too much, 2 repeated");
    // A space is a token among byte pairs, but no sentence.
    const Tokenizer pieces = test::learned(Units::byte_pairs, {"a b - c", "a b - c"}, 300);
    CHECK(encode_corpus({{"a", "b"}, {"a", "  "}}, pieces).left_out.empty == 1);
  }

  TEST_CASE("lines that look like others are counted: accents apart, and three kinds of spaces") {
    LookAlikes found;
    CHECK(look_alikes_text(found) == "");
    const std::vector<std::string> lines{"l'\u00E9t\u00E9 est l\u00E0 !", "l'e\u0301te\u0301",
                                         "l\u00E0\u202F!", "l\u00E0\u00A0! a\u0300\u00A0?",
                                         "l\u00E0\u00A0!"};
    for (const std::string& line : lines) found.add(line);
    CHECK(look_alikes_text(found) ==
          "; other tokens than they look: 2 with accents apart from their letters (compose them), "
          "2 with U+00A0 for a space, 1 with U+202F for a space");
  }

  TEST_CASE("pairs are read from two columns of a file, in either direction") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("pairs.tsv");
    write_file(path, "\xEF\xBB\xBFGo.\tVa !\tCC-BY 2.0\r\nHi.\tSalut.\n");
    const auto pairs = read_pairs(path, false), swapped = read_pairs(path, true);
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0].source == "Go.");
    CHECK(pairs[0].target == "Va !");
    CHECK(pairs[1].target == "Salut.");
    CHECK(swapped[0].source == "Va !");
    CHECK(swapped[1].target == "Hi.");
    write_file(path, "Go.\tVa !\rHi.\tSalut.\r");
    CHECK_ERROR(read_pairs(path, false),
                doctest::Contains("its lines end in carriage returns alone"));
    write_file(path, "Go.\tVa !\n\nHi.\tSalut.\n");
    CHECK(read_pairs(path, false)[1].source.empty());
    write_file(path, "Go.\tVa !\nHi. Salut.\n");
    CHECK_ERROR(read_pairs(path, false), doctest::Contains("pairs.tsv, line 2: no tab; expected"));
    write_file(path, "");
    CHECK_ERROR(read_pairs(path, false), doctest::Contains("is empty"));
  }

  TEST_CASE("a corpus of which nothing is left is an error that says why") {
    CHECK_ERROR(encode_corpus({{"", "a"}, {"a b", "a"}}, letters(), 2),
                "none of 2 sentence pairs can be used: 1 with an empty side, 1 too long; a "
                "side has at most 2 tokens with its <eos>, by `batch_tokens`, `max_positions` or "
                "the limit of 4,096");
    CHECK_ERROR(encode_corpus({{"", "a"}}, letters(), 2),
                "none of 1 sentence pair can be used: 1 with an empty side");
    CHECK_THROWS_AS(encode_corpus({}, letters()), Error);
  }

  TEST_CASE("a sentence longer than the model can read, or longer than any may be, is an error") {
    TransformerConfig config = attn::test::small_config();
    check_length(Transformer(config), kLongestSentence, "here");
    CHECK_ERROR(check_length(Transformer(config), kLongestSentence + 1, "here"),
                "here: 4,096 tokens; a sentence has at most 4,095 here, split it");
    config.positions = Positions::learned;  // 8 of them
    check_length(Transformer(config), 8, "here");
    CHECK_ERROR(
        check_length(Transformer(config), 9, "here"),
        "here: 8 tokens; with the positions that this model has learned a sentence has at most 7");
  }
}
