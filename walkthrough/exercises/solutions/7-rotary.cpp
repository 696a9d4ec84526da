// A rotation's transpose is its inverse: backward turns by the negative angles.
#include "support/exercise.h"

static Tensor turned_by(double sign, const Tensor& x, Index first) {
  Tensor y = x;
  const Index d = x.cols();
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index i = 0; 2 * i < d; ++i) {
      const double theta =
          std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(d));
      const double phi = sign * static_cast<double>(first + t) * theta;
      const double a = x(t, 2 * i), b = x(t, 2 * i + 1);
      y(t, 2 * i) = a * std::cos(phi) - b * std::sin(phi);
      y(t, 2 * i + 1) = a * std::sin(phi) + b * std::cos(phi);
    }
  }
  return y;
}

Tensor turned(const Tensor& x, Index first) {
  return turned_by(1, x, first);
}

Tensor turned_backward(const Tensor& dy, Index first) {
  return turned_by(-1, dy, first);
}
