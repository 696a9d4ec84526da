// A pair in a word that occurs c times counts c times. std::map is in the order of <, so among
// equal counts the first pair is the right one.
#include <map>
#include <utility>

#include "support/exercise.h"

struct CountedWord {
  std::vector<std::string> symbols;
  int count;
};

std::pair<std::string, std::string> merge_step(std::vector<CountedWord>& words) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const CountedWord& word : words) {
    for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
      counts[{word.symbols[i], word.symbols[i + 1]}] += word.count;
    }
  }
  std::pair<std::string, std::string> best;
  int most = 1;
  for (const auto& [pair, count] : counts) {
    if (count <= most) continue;
    best = pair;
    most = count;
  }
  if (most == 1) return best;

  for (CountedWord& word : words) {
    std::vector<std::string> merged;
    for (std::size_t i = 0; i < word.symbols.size(); ++i) {
      merged.push_back(word.symbols[i]);
      const bool here = word.symbols[i] == best.first && i + 1 < word.symbols.size() &&
                        word.symbols[i + 1] == best.second;
      if (here) merged.back() += word.symbols[++i];
    }
    word.symbols = merged;
  }
  return best;
}
