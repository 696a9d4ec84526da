// A = S/√d_k + B:   B_ij = w[bucket(i − j)], learned;   B_ij = −m |i − j|, fixed
#include <algorithm>
#include <cmath>

#include "lab/positions/positions.h"

namespace attn {

namespace {

constexpr Index kFarthest = 128;

BiasShare bucket_share(Index distance, bool causal) {
  return {bucket_of(distance, causal), 1};
}

BiasShare distance_share(Index distance, bool) {
  return {0, -static_cast<Real>(std::abs(distance))};
}

Real slope_of_head(Index head, Index heads) {
  const double exponent = -8 * static_cast<double>(head + 1) / static_cast<double>(heads);
  return static_cast<Real>(std::pow(2.0, exponent));
}

}  // namespace

Index bucket_of(Index distance, bool causal) {
  // Keys after the query have the second half of the buckets, unless there are none.
  const Index buckets = causal ? kBuckets : kBuckets / 2, exact = buckets / 2;
  const Index first = !causal && distance < 0 ? buckets : 0;
  const Index away = causal ? std::max<Index>(distance, 0) : std::abs(distance);
  if (away < exact) return first + away;

  // From `exact` on by the logarithm, so that the last bucket begins below the farthest distance.
  const double share = std::log(static_cast<double>(away) / static_cast<double>(exact)) /
                       std::log(static_cast<double>(kFarthest) / static_cast<double>(exact));
  const Index step = static_cast<Index>(share * static_cast<double>(buckets - exact));
  return first + std::min(exact + step, buckets - 1);
}

PositionRules relative_rules() {
  PositionRules rules;
  rules.rows = kBuckets;
  rules.share = bucket_share;
  rules.note = "√d_k w_b";
  return rules;
}

PositionRules alibi_rules() {
  PositionRules rules;
  rules.rows = 1;
  rules.share = distance_share;
  rules.fixed_weight = slope_of_head;
  rules.note = "−√d_k m |i − j|";
  return rules;
}

}  // namespace attn
