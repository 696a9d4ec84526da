#include "app/terminal/printing.h"

#include <doctest/doctest.h>

namespace attn::test {

TEST_SUITE_BEGIN("printing");

TEST_CASE("times read well") {
  CHECK(clock_time(42) == "0:42");
  CHECK(clock_time(3599.6) == "1:00:00");
  CHECK(duration(0.84) == "0.8 s");
  CHECK(duration(725) == "12 min 5 s");
  CHECK(duration(11525) == "3 h 12 min");
}

TEST_CASE("words are wrapped where they fit, and never lost") {
  CHECK(wrapped("a b c", 0, 0, 80) == "a b c");
  CHECK(wrapped("aaa bbb ccc", 0, 2, 7) == "aaa bbb\n  ccc");
  CHECK(wrapped("aaa bbb", 5, 5, 8) == "aaa\n     bbb");
  CHECK(wrapped("longer-than-the-line b", 0, 0, 5) == "longer-than-the-line\nb");
  CHECK(wrapped("ää öö", 0, 0, 5) == "ää öö");
}

TEST_CASE("accents take no column of their own") {
  CHECK(display_width("x̂ = (s − μ)/σ") == 13);
  CHECK(display_width("dx̂") == 2);
  CHECK(display_width("l'Été") == 5);
  CHECK(display_width("שָׁלוֹם") == 4);
}

TEST_CASE("characters of East Asia and emoji take two columns, joiners none") {
  CHECK(display_width("私はテニス部員です。") == 20);
  CHECK(display_width("한국어") == 6);
  CHECK(display_width("ＡＢ") == 4);
  CHECK(display_width("😀") == 2);
  CHECK(display_width("a\u200Bb") == 2);
  CHECK(padded("一番", 6) == "一番  ");
  CHECK(shortened("私はテニス", 10) == "私はテニス");
  CHECK(shortened("私はテニス", 9) == "私はテニ…");
  CHECK(shortened("私はテニス", 8) == "私はテ…");
}

TEST_CASE("columns are as wide as they need to be") {
  CHECK(table({{"a", "1"}, {"P Kᵀ", "10"}, {"b"}}) == "a      1\nP Kᵀ  10\nb\n");
  CHECK(table({{"x", "1", "ab"}, {"y", "22", "a"}}, {0, 2}) == "x   1  ab\ny  22  a\n");
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("suggestion");

TEST_CASE("edits are letters inserted, deleted, replaced or swapped with the next") {
  CHECK(edits("", "") == 0);
  CHECK(edits("steps", "steps") == 0);
  CHECK(edits("", "abc") == 3);
  CHECK(edits("seed", "see") == 1);
  CHECK(edits("sed", "seed") == 1);
  CHECK(edits("heads", "headz") == 1);
  CHECK(edits("setps", "steps") == 1);
  CHECK(edits("ab", "ba") == 1);
  CHECK(edits("kitten", "sitting") == 3);
  CHECK(edits("ca", "abc") == 3);  // a pair that was swapped is not edited again
}

TEST_CASE("suggestions are near, or not made") {
  const std::vector<std::string> names{"steps", "seed", "save-every"};
  CHECK(suggestion("step", names) == "; did you mean steps?");
  CHECK(suggestion("setps", names) == "; did you mean steps?");
  CHECK(suggestion("sede", names, "--") == "; did you mean --seed?");
  CHECK(suggestion("save", names) == "; did you mean save-every?");
  CHECK(suggestion("xyz", names).empty());
  CHECK(suggestion("", names).empty());
  CHECK(suggestion(std::string(100000, 's'), names).empty());
}

TEST_SUITE_END();

}  // namespace attn::test
