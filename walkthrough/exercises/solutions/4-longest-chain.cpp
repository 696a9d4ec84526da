// A product can be computed one round after the latest product that it needs. Those have lower
// numbers, so their rounds are already known.
#include "support/exercise.h"

Index longest_chain(const std::vector<std::vector<Index>>& needs) {
  std::vector<Index> round;
  Index last = 0;
  for (const std::vector<Index>& needed : needs) {
    Index latest = 0;
    for (const Index i : needed) latest = std::max(latest, round[i]);
    round.push_back(latest + 1);
    last = std::max(last, latest + 1);
  }
  return last;
}
