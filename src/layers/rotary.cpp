// y_2i     = x_2i cos φ − x_2i+1 sin φ        φ = position · 10000^(−2i/d_k)
// y_2i+1   = x_2i sin φ + x_2i+1 cos φ
#include "layers/rotary.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/parallel.h"

namespace attn {

void turn(Tensor& x, const std::vector<Index>& at, Index heads, Real direction) {
  ATTN_CHECK_EQ(static_cast<Index>(at.size()), x.rows(), "positions and rows to be turned");
  const Index d_k = x.cols() / heads, pairs = d_k / 2;
  if (at.empty() || pairs == 0) return;

  // cos φ and sin φ of every pair of a head's numbers, at every position there is.
  const auto ends = std::minmax_element(at.begin(), at.end());
  const Index first = *ends.first, last = *ends.second;
  std::vector<Real> cosines, sines;
  for (Index position = first; position <= last; ++position) {
    for (Index i = 0; i < pairs; ++i) {
      const double exponent = -to_double(2 * i) / to_double(d_k);
      const double angle = to_double(position) * std::pow(10000.0, exponent);
      cosines.push_back(static_cast<Real>(std::cos(angle)));
      sines.push_back(static_cast<Real>(std::sin(angle)));
    }
  }
  parallel_ranges(x.rows(), 64, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Index angle = (at[t] - first) * pairs;
      const Real* const c = cosines.data() + angle;
      const Real* const s = sines.data() + angle;
      for (Index head = 0; head < heads; ++head) {
        Real* const pair = x.row(t) + head * d_k;
        for (Index i = 0; i < pairs; ++i) {
          const Real a = pair[2 * i], b = pair[2 * i + 1], sine = direction * s[i];
          pair[2 * i] = a * c[i] - b * sine;
          pair[2 * i + 1] = a * sine + b * c[i];
        }
      }
    }
  });
}

}  // namespace attn
