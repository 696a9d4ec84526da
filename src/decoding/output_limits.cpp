#include "decoding/output_limits.h"

#include <algorithm>
#include <limits>

#include "text/vocabulary.h"

namespace attn {

Index longest_output(const OutputLimits& limits, const Config& config, Index source_tokens) {
  const Index longest = std::min(source_tokens - 1 + limits.max_extra, limits.at_most);
  if (config.positions != Positions::learned) return longest;
  return std::min(longest, config.max_positions);
}

void forbid_early_end(const OutputLimits& limits, Index tokens, Real* logits) {
  if (tokens < limits.at_least) logits[kEos] = -std::numeric_limits<Real>::infinity();
}

}  // namespace attn
