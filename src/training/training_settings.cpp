// Rates have bounds of their own.
#include "training/training_settings.h"

#include "base/check.h"
#include "text/corpus.h"

namespace attn {

void check(const TrainingSettings& s) {
  const double rate = s.learning_rate_scale;
  ATTN_CHECK(s.clip >= 0 && s.clip <= 1e9, "clip must be at least 0 and at most 1e9, not ",
             shortest(s.clip));
  ATTN_CHECK(rate > 0 && rate <= 1e9, "learning_rate_scale must be more than 0 and at most 1e9, ",
             "not ", shortest(rate));
  check_settings(s);
}

}  // namespace attn
