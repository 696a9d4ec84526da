// One merge of byte pairs                                                     ★★ 20 min, §5.1
//
// A byte-pair vocabulary is learned by merging, again and again, the two symbols that most often
// occur side by side. Write one such merge.
//
// Each word is a list of symbols, at first its letters, and occurs `count` times in the text. (It
// may have one symbol, or none.) Find the pair of neighbours that occurs most often in the text:
// a a a holds the pair a a twice. Among equally frequent pairs, take the one that std::pair's <
// puts first. In every word, from left to right, join the pair's two symbols into one: a a a
// becomes aa a. Return the pair.
//
//     l o w      5 times          lo w      5 times
//     l o g      2 times    →     lo g      2 times       returns {"l", "o"}, seen 7 times
//
// If no pair occurs twice, leave the words alone and return a pair of empty strings.
#include <map>
#include <utility>

#include "support/exercise.h"

struct CountedWord {
  std::vector<std::string> symbols;
  int count;
};

std::pair<std::string, std::string> merge_step(std::vector<CountedWord>& words) {
  not_yet();
}
