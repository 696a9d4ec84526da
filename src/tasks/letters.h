// The tasks `copy`, h e l l o → h e l l o, and `reverse`, h e l l o → o l l e h. Attention solves
// them by position: target word i is source word i, or word n + 1 − i, for which the first step has
// to know where the source ends. Words are the letters a to z; here, they have no spaces between.
//
// A sequence of 3 to 20 letters belongs to training (18 in 20), validation or test (one each), by a
// hash of its letters. Shorter ones are always training, being too few to hold any back; longer
// ones never are. So no source of a test is ever a source in training, whatever the seed, and both
// tasks share the split. The *reversal* of a test source may be a training source: abc → cba helps
// with cba → abc only if the model has learned that reversing twice changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/task.h"

namespace attn {

constexpr int kShortestHeldOut = 3;  // letters
constexpr int kLongestTraining = 20;

Split split_of(std::string_view letters);

// Sequence `index` of a seed: a function of the two. Its length is the larger of two draws from
// 1 to 20, so that length n has probability (2n − 1)/400: if all lengths were equally likely, only
// one sequence in twenty would have the last positions, which a model learns last. Its letters are
// uniform among the sequences of that length that belong to training.
std::string training_letters(std::uint64_t seed, std::uint64_t index);

// The sequences of a split that models are judged by; no two are equal. Validation: 500 and test:
// 1000, lengths 3, 4, … 20, 3, … in turn. Longer: 200, lengths 21, … 30, 21, … in turn.
std::vector<std::string> held_out_letters(Split split);

Task copy_task();
Task reverse_task();

}  // namespace attn
