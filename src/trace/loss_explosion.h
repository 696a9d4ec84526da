// A loss that explodes while remaining a number.
#pragma once

#include <limits>

namespace attn {

// Watches for a loss above twice that of guessing, ln V, or with ten times the best perplexity.
struct ExplosionWatch {
  double guessing;  // ln V
  double best = std::numeric_limits<double>::infinity();
  bool exploded = false;

  // Given the mean loss of a line of the log; true only the first time that it has exploded.
  bool sees_explosion(double loss);
};

}  // namespace attn
