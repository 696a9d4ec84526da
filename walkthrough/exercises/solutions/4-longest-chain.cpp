// A product can be computed one round after the latest that it needs. Needed products come first,
// so their rounds are known when they are asked for.
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
