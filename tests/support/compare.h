// Comparing arrays by norms. Everything here is written so that a NaN anywhere fails: an error that
// cannot be computed is infinite, and checks read CHECK(error <= tolerance).
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/real.h"
#include "tensor/tensor.h"

namespace attn::test {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// How far two correct results may differ in norm: a few roundings of Real.
constexpr double kRounding = sizeof(Real) == 4 ? 1e-5 : 1e-13;

// ‖a − b‖ / (‖b‖ + floor) of n numbers each, b being the truth. 0 if a and b are zero; infinite if
// only b is and there is no floor, or if any number is NaN or infinite.
template <class A, class B>
double relative_error(Index n, const A* a, const B* b, double floor = 0) {
  long double difference = 0, norm = 0;
  for (Index i = 0; i < n; ++i) {
    const long double x = static_cast<long double>(a[i]), y = static_cast<long double>(b[i]);
    difference += (x - y) * (x - y);
    norm += y * y;
  }
  if (difference == 0 && norm == 0) return 0;
  const double error = static_cast<double>(std::sqrt(difference) / (std::sqrt(norm) + floor));
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

// The same for tensors; infinite if their shapes differ.
inline double relative_error(const Tensor& a, const Tensor& b, double floor = 0) {
  if (a.shape() != b.shape()) return std::numeric_limits<double>::infinity();
  return relative_error(a.elements(), a.data(), b.data(), floor);
}

// Whether two numbers have the same bits. Two NaNs count as the same: which of several NaNs a sum
// passes on is not defined.
inline bool same_bits(Real a, Real b) {
  return std::memcmp(&a, &b, sizeof(Real)) == 0 || (std::isnan(a) && std::isnan(b));
}
inline bool same_bits(Index n, const Real* a, const Real* b) {
  for (Index i = 0; i < n; ++i) {
    if (!same_bits(a[i], b[i])) return false;
  }
  return true;
}
inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && same_bits(a.elements(), a.data(), b.data());
}
inline bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && same_bits(a.size(), a.data(), b.data());
}

// Whether rows begin to end - 1 of a are those of b from b_begin on.
inline bool same_rows(const Tensor& a, Index begin, Index end, const Tensor& b, Index b_begin) {
  return same_bits((end - begin) * a.cols(), a.row(begin), b.row(b_begin));
}

}  // namespace attn::test
