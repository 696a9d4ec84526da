// lrate = d_model^−½ · min(step^−½, step · warmup_steps^−1.5)    eq. (3)
#include "training/schedule.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace attn {

double Schedule::rate(Index step) const {
  ATTN_CHECK(step >= 1, "the first step of a schedule is number 1, not ", step);
  const double s = to_double(step), w = to_double(warmup);
  return scale / std::sqrt(to_double(d_model)) * std::min(1 / std::sqrt(s), s / (w * std::sqrt(w)));
}

}  // namespace attn
