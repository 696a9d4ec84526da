// Pairs of neighbours are counted once. After that each merge changes only the counts of the pairs
// that it makes and breaks, so learning thousands of merges takes seconds.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

namespace attn {

// How often each character occurs, plain or marked.
static UnitCounts count_characters(const UnitCounts& pieces) {
  UnitCounts occurrences;
  for (const auto& [piece, count] : pieces) {
    for (std::string_view rest = piece; !rest.empty();) {
      std::string character(first_character(rest));
      rest.remove_prefix(character.size());
      if (rest.empty()) character += kPieceEnd;
      occurrences[character] += count;
    }
  }
  return occurrences;
}

// The corpus while pairs are merged: the symbols of its words, which keep their places, and the
// places of each pair of neighbours. A merge changes only adjacent places, so it costs as much in a
// word of a million symbols as in one of ten.
class Tokenizer::MergedCorpus {
 public:
  // `count`: how often the word occurs.
  void add_word(const std::vector<int>& symbols, std::int64_t count) {
    const Place first = symbols_.size(), end = first + symbols.size();
    for (Place place = first; place < end; ++place) {
      symbols_.push_back({symbols[place - first], count, place > first ? place - 1 : kNone,
                          place + 1 < end ? place + 1 : kNone});
    }
    for (Place place = first; place < end; ++place) count_pair(place, 1);
  }

  // The most frequent pair, of equals the one with the lowest ids; nothing if none occurs twice.
  std::optional<std::pair<int, int>> most_frequent_pair() const {
    if (ranking_.empty()) return std::nullopt;
    const std::uint64_t key = ranking_.begin()->second;
    return std::pair(static_cast<int>(key >> 32), static_cast<int>(key & 0xFFFFFFFFu));
  }

  void merge(int left, int right, int merged) {
    std::vector<Place> places = std::move(pairs_[pair_key(left, right)].places);
    std::sort(places.begin(), places.end());
    for (const Place place : places) {
      if (pair_at(place) != std::pair(left, right)) continue;
      const Place before = symbols_[place].previous, gone = symbols_[place].next;
      for (const Place broken : {before, place, gone}) count_pair(broken, -1);
      const Place after = symbols_[gone].next;
      symbols_[place].id = merged;
      symbols_[place].next = after;
      symbols_[gone].next = kNone;
      if (after != kNone) symbols_[after].previous = place;
      for (const Place made : {before, place}) count_pair(made, 1);
    }
  }

 private:
  using Place = std::size_t;
  static constexpr Place kNone = static_cast<Place>(-1);
  struct Symbol {
    int id;
    std::int64_t count;    // of its word
    Place previous, next;  // kNone at an end of a word; next, if it has been merged away
  };
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<Place> places;  // at some of them it may have been merged away
  };

  // The symbol at a place and the next one, if there are two.
  std::optional<std::pair<int, int>> pair_at(Place place) const {
    if (place == kNone || symbols_[place].next == kNone) return std::nullopt;
    return std::pair(symbols_[place].id, symbols_[symbols_[place].next].id);
  }

  // Adds the pair at a place, if there is one, to the counts, or with sign −1 takes it away.
  void count_pair(Place place, std::int64_t sign) {
    const auto pair = pair_at(place);
    // Bytes are the last resort and stay single. (kMark may join a character before it.)
    if (!pair || pair->first < kFirstCharacter || pair->second < kMark) return;
    const std::uint64_t key = pair_key(pair->first, pair->second);
    Occurrences& occurrences = pairs_[key];
    ranking_.erase({-occurrences.count, key});
    occurrences.count += sign * symbols_[place].count;
    if (occurrences.count >= 2) ranking_.emplace(-occurrences.count, key);
    if (sign > 0) occurrences.places.push_back(place);
  }

  std::vector<Symbol> symbols_;
  std::unordered_map<std::uint64_t, Occurrences> pairs_;      // by pair_key
  std::set<std::pair<std::int64_t, std::uint64_t>> ranking_;  // minus the count, and the key
};

Tokenizer Tokenizer::learn_byte_pairs(const UnitCounts& counts, Index size) {
  ATTN_CHECK(size > kFirstCharacter, "a vocabulary of byte pairs has more than ", kFirstCharacter,
             " tokens: the special ones, the bytes and a mark; not ", size);
  Tokenizer result(Units::byte_pairs);
  const Index most = kFirstCharacter + (size - kFirstCharacter + 1) / 2;
  for (const std::string& character : by_frequency(count_characters(counts))) {
    if (result.size() == most) break;
    result.add_symbol(character);
  }

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
