// BLEU (Papineni et al. 2002): the paper's score of a translation, computed over a whole corpus,
// not as the mean over its sentences. p_n is the share of the hypotheses' n-grams that occur in a
// reference, each counted at most as often as there; c and r are the lengths of hypotheses and
// references in words:
//
//     BLEU = 100 · BP · exp(¼ Σ ln p_n), n = 1 … 4        BP = 1 if c ≥ r, else exp(1 − r/c)
//
// A p_n without any match counts as 1/(2^k total_n) at the k-th such n ("exp" smoothing). Scores,
// tokenisation and smoothing are those of sacreBLEU 2 (Post 2018), since a score means nothing
// without them: set-up alone moves it by more than a point.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/real.h"

namespace attn {

constexpr std::size_t kBleuOrder = 4;

// What is a word: 13a splits off punctuation as WMT's scripts do; none goes by white space alone.
enum class BleuWords { wmt_13a, none, characters };

// BLEU's counts, of one sentence or summed over many. Element n − 1 counts n-grams.
struct BleuCounts {
  std::array<Index, kBleuOrder> matched{};
  std::array<Index, kBleuOrder> total{};
  Index length = 0;            // of the hypothesis, in words
  Index reference_length = 0;  // of the reference that is nearest to that, the shorter of two

  BleuCounts& operator+=(const BleuCounts& other);
};

// references: one or more. All texts are UTF-8.
BleuCounts bleu_counts(const std::string& hypothesis, const std::vector<std::string>& references,
                       BleuWords words = BleuWords::wmt_13a);

struct Bleu {
  double score = 0;                             // 0 to 100
  std::array<double, kBleuOrder> precisions{};  // 0 to 100, after smoothing
  double brevity_penalty = 0;                   // 0 to 1
};
Bleu bleu(const BleuCounts& counts);

}  // namespace attn
