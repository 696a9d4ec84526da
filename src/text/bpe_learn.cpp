// Pairs of neighbours are counted once. After that each merge changes only the counts of the words
// in which its pair occurs, so learning thousands of merges takes seconds.
#include <algorithm>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "text/bpe.h"

namespace attn {

// Characters, plain and marked, most frequent first; equally frequent ones in the order of their
// bytes.
static std::vector<std::string> characters_by_frequency(const UnitCounts& counts) {
  std::unordered_map<std::string, std::int64_t> occurrences;
  for (const auto& [piece, count] : counts) {
    for (std::string_view rest = piece; !rest.empty();) {
      std::string character(first_character(rest));
      rest.remove_prefix(character.size());
      if (rest.empty()) character += BytePairs::kEnd;
      occurrences[character] += count;
    }
  }
  std::vector<std::pair<std::int64_t, std::string>> ordered;
  for (const auto& [character, count] : occurrences) ordered.emplace_back(-count, character);
  std::sort(ordered.begin(), ordered.end());
  std::vector<std::string> characters;
  for (auto& [count, character] : ordered) characters.push_back(std::move(character));
  return characters;
}

// The corpus while pairs are merged: its words as symbols, and the words that each pair of
// neighbours occurs in. The order of the words does not matter.
class BytePairs::MergedCorpus {
 public:
  void add_word(std::vector<int> symbols, std::int64_t count) {
    words_.push_back({std::move(symbols), count});
    count_pairs(words_.size() - 1, 1);
  }

  // The most frequent pair; of equally frequent ones, the one with the lowest ids. Nothing if no
  // pair occurs twice.
  std::optional<std::pair<int, int>> most_frequent_pair() {
    for (const std::uint64_t key : changed_) {
      const auto found = pairs_.find(key);
      if (found->second.count >= 2) {
        candidates_.push({found->second.count, key});
      } else if (found->second.count == 0) {
        pairs_.erase(found);
      }
    }
    changed_.clear();
    while (!candidates_.empty() && is_stale(candidates_.top())) candidates_.pop();
    if (candidates_.empty()) return std::nullopt;
    const std::uint64_t key = candidates_.top().key;
    return std::pair(static_cast<int>(key >> 32), static_cast<int>(key & 0xFFFFFFFFu));
  }

  void merge(int left, int right, int merged) {
    const std::vector<std::size_t> where = std::move(pairs_[pair_key(left, right)].words);
    for (const std::size_t w : where) {
      std::vector<int>& symbols = words_[w].symbols;
      std::vector<int> shorter = symbols;
      merge_pair(shorter, left, right, merged);
      if (shorter.size() == symbols.size()) continue;
      count_pairs(w, -1);
      symbols = std::move(shorter);
      count_pairs(w, 1);
    }
  }

 private:
  struct Word {
    std::vector<int> symbols;
    std::int64_t count;
  };
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::size_t> words;  // in some of them it may have been merged away
  };
  struct Candidate {
    std::int64_t count;
    std::uint64_t key;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : key > other.key;
    }
  };

  // Adds the word's pairs to the counts, or with sign −1 takes them away.
  void count_pairs(std::size_t w, std::int64_t sign) {
    const Word& word = words_[w];
    for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
      // Bytes are the last resort and stay single. (kMark may join a character before it.)
      if (word.symbols[i] < kFirstCharacter || word.symbols[i + 1] < kMark) continue;
      const std::uint64_t key = pair_key(word.symbols[i], word.symbols[i + 1]);
      Occurrences& occurrences = pairs_[key];
      occurrences.count += sign * word.count;
      if (sign > 0 && (occurrences.words.empty() || occurrences.words.back() != w)) {
        occurrences.words.push_back(w);
      }
      changed_.insert(key);
    }
  }

  // Whether the count has changed since: then there is a newer candidate, if there is any.
  bool is_stale(const Candidate& candidate) const {
    const auto found = pairs_.find(candidate.key);
    return found == pairs_.end() || found->second.count != candidate.count;
  }

  std::vector<Word> words_;
  std::unordered_map<std::uint64_t, Occurrences> pairs_;  // by pair_key
  std::set<std::uint64_t> changed_;  // pairs whose counts are no candidates yet
  std::priority_queue<Candidate> candidates_;
};

BytePairs BytePairs::learn(const UnitCounts& counts, Index size) {
  ATTN_CHECK(size > kFirstCharacter, "a vocabulary of byte pairs has more than ", kFirstCharacter,
             " tokens: the special ones, the bytes and a mark; not ", size);
  BytePairs result;
  const std::vector<std::string> characters = characters_by_frequency(counts);
  const std::size_t most = static_cast<std::size_t>((size - kFirstCharacter + 1) / 2);
  for (std::size_t i = 0; i < std::min(most, characters.size()); ++i) result.add(characters[i]);

  MergedCorpus corpus;
  for (const auto& [piece, count] : counts) corpus.add_word(result.spell(piece), count);
  while (result.size() < size) {
    const auto pair = corpus.most_frequent_pair();
    if (!pair) break;
    const auto [left, right] = *pair;
    corpus.merge(left, right, result.add_merge(left, right));
  }
  return result;
}

}  // namespace attn
