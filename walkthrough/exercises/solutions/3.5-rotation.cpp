// With b = k w_i, column 2i holds the factors of (sin a, cos a) in sin(a + b): cos b and sin b.
// Column 2i + 1 holds those in cos(a + b): −sin b and cos b. Each pair of numbers is turned by its
// own angle.
#include "support/exercise.h"

Tensor rotation(Index k, Index d) {
  Tensor R = Tensor::zeros({d, d});
  for (Index j = 0; j < d; j += 2) {
    const double angle = static_cast<double>(k) *
                         std::pow(10000.0, -static_cast<double>(j) / static_cast<double>(d));
    R(j, j) = R(j + 1, j + 1) = std::cos(angle);
    R(j + 1, j) = std::sin(angle);
    R(j, j + 1) = -std::sin(angle);
  }
  return R;
}
