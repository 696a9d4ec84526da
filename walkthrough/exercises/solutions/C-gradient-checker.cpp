// <, <=, > and >= are false if either side is NaN. So ask whether the error is small, and say no
// unless it is; never ask whether it is large. The allowed error must be finite: ∞ <= ∞ is true.
#include "support/exercise.h"

using Function = std::function<double(const std::vector<double>& x)>;

bool gradient_is_right(const Function& f, std::vector<double> x,
                       const std::vector<double>& claimed) {
  if (claimed.size() != x.size()) return false;
  const double h = 1e-5;
  double squared_error = 0, squared_norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double kept = x[i];
    x[i] = kept + h;
    const double higher = f(x);
    x[i] = kept - h;
    const double lower = f(x);
    x[i] = kept;
    const double difference = (higher - lower) / (2 * h);
    squared_error += (claimed[i] - difference) * (claimed[i] - difference);
    squared_norm += difference * difference;
  }
  const double allowed = 1e-6 * (std::sqrt(squared_norm) + 1e-3);
  return std::isfinite(allowed) && std::sqrt(squared_error) <= allowed;
}
