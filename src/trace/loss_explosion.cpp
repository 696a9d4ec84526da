// Perplexity is e to the loss, so ten times as much of it is ln 10 more.
#include "trace/loss_explosion.h"

#include <algorithm>
#include <cmath>

namespace attn {

bool ExplosionWatch::sees_explosion(double loss) {
  best = std::min(best, loss);
  const bool before = exploded;
  exploded = exploded || loss > 2 * guessing || loss > best + std::log(10);
  return exploded && !before;
}

}  // namespace attn
