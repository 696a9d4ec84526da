// n of r numbers, each choice equally likely (Floyd's algorithm): for j = r − n … r − 1, a number
// from 0 to j or, if it is there already, j itself.
#include <algorithm>
#include <set>

#include "lab/positions/positions.h"

namespace attn {

static std::vector<Index> drawn_places(const RandomStream& random, Index n, Index max_positions) {
  const Index most = std::max(n, max_positions);
  const auto below = [&](Index draw, Index bound) {
    return static_cast<Index>(
        random.below(static_cast<std::uint64_t>(draw), static_cast<std::uint64_t>(bound)));
  };
  const Index range = n + below(0, most - n + 1);
  std::set<Index> places;
  for (Index j = range - n; j < range; ++j) {
    const Index place = below(1 + j - (range - n), j + 1);
    if (!places.insert(place).second) places.insert(j);
  }
  return {places.begin(), places.end()};
}

// Both sides of a pair have the same number, and so the same draw.
static std::vector<Index> places_of_all(const RandomStream& pass, const Offsets& offsets,
                                        Index max_positions) {
  std::vector<Index> all;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const std::vector<Index> places =
        drawn_places({pass.seed, mix(pass.stream, b)}, offsets[b + 1] - offsets[b], max_positions);
    all.insert(all.end(), places.begin(), places.end());
  }
  return all;
}

PositionRules random_rules() {
  PositionRules rules;
  rules.places = places_of_all;
  return rules;
}

}  // namespace attn
