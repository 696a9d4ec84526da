// Integers become doubles first: step·warmup may overflow an int, and 1/warmup would be 0. At
// step = warmup both arms are warmup^−½: the rise ends where the fall begins.
#include "support/exercise.h"

double learning_rate(Index step, Index d_model, Index warmup) {
  const double s = static_cast<double>(step), w = static_cast<double>(warmup);
  return std::pow(static_cast<double>(d_model), -0.5) *
         std::min(std::pow(s, -0.5), s * std::pow(w, -1.5));
}
