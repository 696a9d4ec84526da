// Whether one output is better than another, or was lucky with the sentences (Koehn 2004): both are
// scored on samples of their sentences, drawn with replacement, the same for both.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "base/random.h"

namespace attn {

// The counts of all sentences, added up.
template <class Counts>
Counts total(const std::vector<Counts>& counts) {
  Counts sum{};
  for (const Counts& of_one : counts) sum += of_one;
  return sum;
}

struct PairedBootstrap {
  double one = 0, other = 0;                    // their scores on all sentences
  double one_interval = 0, other_interval = 0;  // 95 % of the samples' scores lie within ± this
  double p = 0;  // how often drawing sentences alone gives a difference at least as large
};

// counts: of each sentence, for one output and the other; score: of counts added up. The same
// procedure as sacreBLEU's --paired-bs, with other random numbers.
template <class Counts, class Score>
PairedBootstrap paired_bootstrap(const std::vector<Counts>& one, const std::vector<Counts>& other,
                                 Score score, int samples = 1000, std::uint64_t seed = 12345) {
  ATTN_CHECK(one.size() == other.size() && !one.empty(),
             "two outputs have the same number of sentences, ", "but here are ", one.size(),
             " and ", other.size());
  const std::size_t n = one.size();
  std::vector<double> ones, others, differences;
  for (int s = 0; s < samples; ++s) {
    const RandomStream random{seed, static_cast<std::uint64_t>(s)};
    Counts of_one{}, of_other{};
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t drawn = static_cast<std::size_t>(random.below(i, n));
      of_one += one[drawn];
      of_other += other[drawn];
    }
    ones.push_back(score(of_one));
    others.push_back(score(of_other));
    differences.push_back(std::abs(ones.back() - others.back()));
  }
  const auto half_width = [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t cut = values.size() / 40;
    return (values[values.size() - 1 - cut] - values[cut]) / 2;
  };

  PairedBootstrap result;
  result.one = score(total(one));
  result.other = score(total(other));
  result.one_interval = half_width(ones);
  result.other_interval = half_width(others);
  // The samples' differences scatter about their mean; without a difference, about 0.
  double mean = 0;
  for (double difference : differences) mean += difference / samples;
  const double seen = std::abs(result.one - result.other);
  const auto larger = std::count_if(differences.begin(), differences.end(),
                                    [&](double d) { return d - mean > seen; });
  result.p = static_cast<double>(larger + 1) / (samples + 1);
  return result;
}

}  // namespace attn
