// A stable sort of the sentences by length, and then a row for each that step t has.
#include "lab/predecessors/time_steps.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"

namespace attn {

TimeSteps time_steps(const Offsets& offsets, Direction direction) {
  const auto length = [&](Index b) { return offsets[b + 1] - offsets[b]; };
  TimeSteps steps;
  steps.sentences.resize(offsets.size() - 1);
  std::iota(steps.sentences.begin(), steps.sentences.end(), Index{0});
  std::stable_sort(steps.sentences.begin(), steps.sentences.end(),
                   [&](Index a, Index b) { return length(a) > length(b); });

  const Index longest = steps.sentences.empty() ? 0 : length(steps.sentences[0]);
  for (Index t = 0; t < longest; ++t) {
    for (const Index b : steps.sentences) {
      if (t >= length(b)) break;  // and all after it are no longer
      const Index token = direction == Direction::forwards ? t : length(b) - 1 - t;
      steps.tokens.push_back(offsets[b] + token);
    }
    steps.begins.push_back(steps.tokens.size());
  }
  return steps;
}

Tensor gathered(const Tensor& x, const std::vector<Index>& rows) {
  Tensor y = Tensor::uninitialised({static_cast<Index>(rows.size()), x.cols()});
  constexpr Index kRowsPerTask = 64;
  parallel_ranges(y.rows(), kRowsPerTask, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      std::copy_n(x.row(rows[i]), x.cols(), y.row(i));
    }
  });
  return y;
}

Tensor scattered(const Tensor& x, const std::vector<Index>& rows) {
  ATTN_CHECK_EQ(x.rows(), static_cast<Index>(rows.size()), "rows to put in order");
  std::vector<Index> inverse(rows.size());
  for (Index i = 0; i < x.rows(); ++i) {
    inverse[rows[i]] = i;
  }
  return gathered(x, inverse);
}

}  // namespace attn
