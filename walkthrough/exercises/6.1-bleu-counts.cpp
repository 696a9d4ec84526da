// The counts of BLEU                                                           ★ 15 min, §6.1
//
// An n-gram is n consecutive words. Given a hypothesis (the translation) and a reference, count
//
//     total      the n-grams of the hypothesis
//     matched    those that are in the reference, each n-gram at most as often as it occurs there
//
// So "the the the" against "the cat" matches one 1-gram of three.
#include <map>

#include "support/exercise.h"

struct ClippedCounts {
  Index matched, total;
};

ClippedCounts clipped_counts(const std::vector<std::string>& hypothesis,
                             const std::vector<std::string>& reference, std::size_t n) {
  not_yet();
}
