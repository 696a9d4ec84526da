#include <algorithm>
#include <queue>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "text/bpe.h"

namespace attn {

namespace {

// Characters, plain and marked, most frequent first; equally frequent ones in the order of their
// bytes.
std::vector<std::string> characters_by_frequency(const PieceCounts& counts) {
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

}  // namespace

BytePairs BytePairs::learn(const PieceCounts& counts, Index size) {
  ATTN_CHECK(size > kFirstCharacter, "a vocabulary of byte pairs has more than ", kFirstCharacter,
             " tokens: the special ones, the bytes and a mark; not ", size);
  BytePairs result;

  const std::vector<std::string> characters = characters_by_frequency(counts);
  const std::size_t most = static_cast<std::size_t>((size - kFirstCharacter + 1) / 2);
  for (std::size_t i = 0; i < std::min(most, characters.size()); ++i) result.add(characters[i]);

  // Words as symbols, and where each pair of neighbours occurs. (Their order does not matter.)
  struct Word {
    std::vector<int> symbols;
    std::int64_t count;
  };
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::size_t> words;  // some perhaps no longer
  };
  std::vector<Word> words;
  std::unordered_map<std::uint64_t, Occurrences> pairs;
  const auto may_merge = [](int left, int right) {
    // Bytes are the last resort and stay single. (kMark may join a character before it.)
    return left >= kFirstCharacter && right >= kMark;
  };
  std::set<std::uint64_t> changed;
  const auto add_pairs = [&](std::size_t w, std::int64_t sign) {
    const Word& word = words[w];
    for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
      if (!may_merge(word.symbols[i], word.symbols[i + 1])) continue;
      const std::uint64_t key = pair_key(word.symbols[i], word.symbols[i + 1]);
      Occurrences& occurrence = pairs[key];
      occurrence.count += sign * word.count;
      if (sign > 0 && (occurrence.words.empty() || occurrence.words.back() != w)) {
        occurrence.words.push_back(w);
      }
      changed.insert(key);
    }
  };
  for (const auto& [piece, count] : counts) {
    words.push_back({result.spell(piece), count});
    add_pairs(words.size() - 1, 1);
  }

  // The most frequent pair first, of equally frequent ones that with the lowest ids. Entries whose
  // count has changed since are passed over: a new one was made.
  struct Candidate {
    std::int64_t count;
    std::uint64_t key;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : key > other.key;
    }
  };
  std::priority_queue<Candidate> candidates;
  while (result.size() < size) {
    for (const std::uint64_t key : changed) {
      const auto found = pairs.find(key);
      if (found->second.count >= 2) {
        candidates.push({found->second.count, key});
      } else if (found->second.count == 0) {
        pairs.erase(found);
      }
    }
    changed.clear();
    const auto is_stale = [&](const Candidate& candidate) {
      const auto found = pairs.find(candidate.key);
      return found == pairs.end() || found->second.count != candidate.count;
    };
    while (!candidates.empty() && is_stale(candidates.top())) candidates.pop();
    if (candidates.empty()) break;
    const std::uint64_t key = candidates.top().key;
    const int left = static_cast<int>(key >> 32), right = static_cast<int>(key & 0xFFFFFFFFu);
    const int merged = result.add_merge(left, right);

    const std::vector<std::size_t> where = std::move(pairs[key].words);
    for (const std::size_t w : where) {
      std::vector<int>& symbols = words[w].symbols;
      std::vector<int> shorter = symbols;
      merge_pair(shorter, left, right, merged);
      if (shorter.size() == symbols.size()) continue;
      add_pairs(w, -1);
      symbols = std::move(shorter);
      add_pairs(w, 1);
    }
  }
  return result;
}

}  // namespace attn
