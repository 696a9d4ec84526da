// Positions that came after the paper, as rules for attention (layers/position_rules.h). All are
// known to self-attention and to encoder–decoder attention: both sides of a pair count from 0, so
// that a query can ask for the source token at its own place, as it can with the paper's sinusoids.
#pragma once

#include "layers/position_rules.h"

namespace attn {

// Su et al., "RoFormer" (2021): numbers 2i and 2i + 1 of a query or key are turned, as a point in
// the plane, by the angle position · 10000^(−2i/d_k). Then q·k depends on the distance alone. If
// d_k is odd, the last number stays.
PositionRules rotary_rules();

// Raffel et al., "T5" (2020): each head has a learned bias for each bucket of distances, 32 in all.
// Half of the buckets of a direction hold one distance each, the others more and more, up to 128
// and beyond. (T5 has one table for all layers, and none in encoder–decoder attention.)
constexpr Index kBuckets = 32;
Index bucket_of(Index distance, bool causal);
PositionRules relative_rules();

// Press et al., "ALiBi" (2021): the score falls by the distance, times m = 2^(−8 i/h) in head i of
// 1 … h. To both sides, where a query sees both.
PositionRules alibi_rules();

// After Ruoss et al., "Randomized Positional Encodings" (2023): while training, the places of n
// tokens are n of the numbers from 0 to r − 1, in order, where r is drawn from n to max_positions.
// (There, r is always the largest. A decoder, which cannot know its n, takes places 0, 1, 2, …,
// and these are drawn too if r = n.)
PositionRules random_rules();

}  // namespace attn
