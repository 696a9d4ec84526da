// chrF (Popović 2015): an F-score of character n-grams, n = 1 … 6, white space left out. For each n
// p is the share of the hypotheses' n-grams that are in the reference, r the share of the
// reference's that are in the hypothesis; with their means over n,
//
//     chrF = 100 · (1 + β²) p r / (β² p + r),     β = 2: recall counts more
//
// as sacreBLEU 2 computes it for a corpus, "chrF2".
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/real.h"

namespace attn {

constexpr std::size_t kChrfOrder = 6;

// What chrF is computed from: for one sentence, or added up over many. Element n − 1 counts
// n-grams.
struct ChrfCounts {
  std::array<Index, kChrfOrder> matched{};
  std::array<Index, kChrfOrder> hypothesis{};  // how many n-grams it has
  std::array<Index, kChrfOrder> reference{};

  ChrfCounts& operator+=(const ChrfCounts& other);
};

// references: one or more; the one with the best score counts. All texts are UTF-8.
ChrfCounts chrf_counts(const std::string& hypothesis, const std::vector<std::string>& references);

double chrf(const ChrfCounts& counts);  // 0 to 100

}  // namespace attn
