// The learning rate (§5.3, eq. (3)): a linear rise over the warm-up, then the inverse square root.
#pragma once

#include "base/real.h"

namespace attn {

struct Schedule {
  Index d_model = 512;
  Index warmup = 4000;  // steps
  double scale = 1;     // multiplies the whole; 1 in the paper

  // scale · d_model^−½ · min(step^−½, step · warmup^−1.5), with the first step being number 1.
  // The two arms meet, and the rate is highest, at step = warmup.
  double rate(Index step) const;
};

}  // namespace attn
