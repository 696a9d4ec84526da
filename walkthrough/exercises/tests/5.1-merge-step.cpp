// Small words by hand, then four merges as the library learns them.
#include "support/checks.h"
#include "text/tokenizer.h"

static const exercises::Exercise merge_step_exercise("5.1-merge-step", [](exercises::Checks&
                                                                              check) {
  const auto shown = [](const std::vector<std::string>& symbols) {
    std::string all;
    for (const std::string& symbol : symbols) all += (all.empty() ? "" : " ") + symbol;
    return all;
  };
  const auto merged = [&](const CountedWord& word, const std::string& want,
                          const std::string& hint) {
    check.that(shown(word.symbols) == want,
               "a word is '" + shown(word.symbols) + "', should be '" + want + "'. " + hint);
  };
  const auto same_pair = [&](const std::pair<std::string, std::string>& got,
                             const std::pair<std::string, std::string>& want,
                             const std::string& hint) {
    check.that(got == want, "it merged '" + got.first + "' and '" + got.second + "', should be '" +
                                want.first + "' and '" + want.second + "'. " + hint);
  };

  check.claim("l o is the most frequent pair of low, 5 times, and log, 2 times");
  std::vector<CountedWord> words = {{{"l", "o", "w"}, 5}, {{"l", "o", "g"}, 2}};
  same_pair(merge_step(words), {"l", "o"}, "");
  check.claim("it is merged in every word");
  merged(words[0], "lo w", "");
  merged(words[1], "lo g", "");
  check.claim("a word of one symbol, or of none, has no pair");
  words = {{{"l"}, 9}, {{}, 3}, {{"l", "o"}, 5}};
  same_pair(merge_step(words), {"l", "o"}, "");
  merged(words[0], "l", "");
  merged(words[1], "", "");
  check.claim("a word counts as often as it occurs");
  words = {{{"a", "b"}, 2}, {{"c", "a", "b"}, 1}, {{"x", "y"}, 9}};
  same_pair(merge_step(words), {"x", "y"}, "x y occurs in one word, but that word occurs 9 times.");
  merged(words[1], "c a b", "Only one pair is merged in a step.");
  check.claim("and a pair as often as it occurs in a word");
  words = {{{"c", "d"}, 3}, {{"a", "b", "a", "b"}, 2}};
  same_pair(merge_step(words), {"a", "b"}, "a b occurs 4 times, twice in each a b a b.");
  merged(words[1], "ab ab", "");
  check.claim("twice is enough for a merge");
  words = {{{"a", "b"}, 1}, {{"c", "a", "b"}, 1}};
  same_pair(merge_step(words), {"a", "b"}, "a b occurs twice, once in each word.");
  check.claim("no pair reaches across two words");
  words = {{{"a", "b"}, 3}, {{"b", "b"}, 2}};
  same_pair(merge_step(words), {"a", "b"}, "");
  check.claim("merged symbols can be merged again");
  words = {{{"lo", "w"}, 5}, {{"lo", "w", "er"}, 2}, {{"slo", "wer"}, 1}};
  same_pair(merge_step(words), {"lo", "w"}, "");
  merged(words[1], "low er", "");
  merged(words[2], "slo wer", "Its symbols are slo and wer, and neither is lo or w.");
  check.claim("from left to right, and no symbol is used twice");
  words = {{{"a", "a", "a"}, 1}, {{"a", "a", "a", "a"}, 1}, {{"b", "c"}, 4}};
  same_pair(merge_step(words), {"a", "a"},
            "Counting takes every pair of neighbours: a a occurs 2 + 3 times.");
  merged(words[0], "aa a", "");
  merged(words[1], "aa aa", "");
  check.claim("of equally frequent pairs, the first in the order of <");
  words = {{{"b", "c"}, 4}, {{"a", "z"}, 4}, {{"a", "d"}, 4}, {{"a", "e"}, 4}};
  same_pair(merge_step(words), {"a", "d"}, "< looks at the first symbols, then at the second.");
  words = {{{"ab", "c"}, 4}, {{"a", "bz"}, 4}, {{"ab", "z"}, 3}};
  same_pair(merge_step(words), {"a", "bz"}, "a comes before ab.");
  merged(words[2], "ab z", "It is spelt the same, but its symbols are not a and bz.");
  check.claim("a pair that occurs once is not merged");
  words = {{{"a", "b", "a"}, 1}, {{"a", "ba"}, 1}, {{"ab", "a"}, 1}, {{"c"}, 7}, {{}, 3}};
  same_pair(merge_step(words), {"", ""}, "a b, b a, a ba and ab a are four pairs, each seen once.");
  merged(words[0], "a b a", "");
  check.claim("without any pair, or any word, there is none to merge");
  words = {{{"l"}, 9}, {{}, 3}};
  same_pair(merge_step(words), {"", ""}, "No word has two symbols.");
  words.clear();
  same_pair(merge_step(words), {"", ""}, "There is no word.");

  check.claim("the first four merges of low, lower, newest and widest, as the library learns them");
  const attn::UnitCounts counts = {{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};
  const attn::Tokenizer library = attn::Tokenizer::learn_byte_pairs(counts, 280);
  words.clear();
  for (const auto& [piece, count] : counts) {
    words.push_back({{}, static_cast<int>(count)});
    for (const char letter : piece) words.back().symbols.emplace_back(1, letter);
    words.back().symbols.back() += '_';  // the library marks a word's last letter
  }
  for (std::size_t m = 0; m < 4; ++m) {
    const auto [left, right] = library.merges().at(m);
    same_pair(merge_step(words), {library.token(left), library.token(right)}, "");
  }
});
