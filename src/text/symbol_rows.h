// Rows of symbols in which neighbours are merged. A symbol keeps its place, and a merge changes the
// places next to it only: it costs as much in a row of a million symbols as in one of ten.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace attn {

class SymbolRows {
 public:
  using Place = std::size_t;
  static constexpr Place kNone = static_cast<Place>(-1);

  // The symbols get the next places.
  void add_row(const std::vector<int>& symbols) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Place own = symbols_.size();
      symbols_.push_back(
          {symbols[i], i > 0 ? own - 1 : kNone, i + 1 < symbols.size() ? own + 1 : kNone});
    }
  }
  // The number of places.
  std::size_t size() const { return symbols_.size(); }
  // The place of a neighbour; kNone at an end of a row, and of a place that has been merged away.
  Place previous(Place place) const { return symbols_[place].previous; }
  Place next(Place place) const { return symbols_[place].next; }

  // The symbol at a place and the next one, if both are there. kNone is a place without symbols.
  std::optional<std::pair<int, int>> pair_at(Place place) const {
    if (place == kNone || next(place) == kNone) return std::nullopt;
    return std::pair(symbols_[place].id, symbols_[next(place)].id);
  }
  // `merged` takes the place of that pair.
  void merge(Place place, int merged) {
    const Place right = next(place), after = next(right);
    symbols_[place] = {merged, previous(place), after};
    if (after != kNone) symbols_[after].previous = place;
    symbols_[right] = {kGone, kNone, kNone};
  }
  // What all rows have become.
  std::vector<int> symbols() const {
    std::vector<int> left;
    for (const Symbol& symbol : symbols_) {
      if (symbol.id != kGone) left.push_back(symbol.id);
    }
    return left;
  }

 private:
  static constexpr int kGone = -1;
  struct Symbol {
    int id;
    Place previous, next;
  };
  std::vector<Symbol> symbols_;
};

}  // namespace attn
