#include "decoding/output_limits.h"

#include <algorithm>
#include <limits>

#include "text/vocabulary.h"

namespace attn {

Index longest_output(const OutputLimits& limits, const SequenceModel& model, Index source_tokens) {
  return std::min({source_tokens - 1 + limits.max_extra, limits.at_most, model.longest_sentence()});
}

void forbid_early_end(const OutputLimits& limits, Index tokens, Real* logits) {
  if (tokens < limits.at_least) logits[kEos] = -std::numeric_limits<Real>::infinity();
}

}  // namespace attn
