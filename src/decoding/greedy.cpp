#include "decoding/greedy.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/rows.h"
#include "text/vocabulary.h"

namespace attn {
inline namespace ATTN_PRECISION {

namespace {
// The most words of an output: max_extra more than its input has, and no more than a learned table
// has positions to read them at.
Index longest_output(const Config& config, Index words, Index max_extra) {
  const Index longest = words + max_extra;
  if (config.positions != Positions::learned) return longest;
  return std::min(longest, config.max_positions);
}
}  // namespace

std::vector<std::vector<int>> decode_greedily(const SequenceModel& model, const PackedIds& source,
                                              Index max_extra) {
  const std::size_t sentences = static_cast<std::size_t>(source.sentences());
  std::vector<std::vector<int>> outputs(sentences);
  std::vector<std::size_t> rows(sentences);  // the sentence of each row that is still open
  for (std::size_t b = 0; b < sentences; ++b) rows[b] = b;
  std::vector<int> last(sentences, kBos);
  const auto state = model.start_decoding(source);

  while (!rows.empty()) {
    const Tensor log_p = model.next_log_probabilities(*state, last);  // [R, V]

    // Each row takes its most probable token; rows that are finished leave.
    std::vector<Index> kept;
    std::vector<std::size_t> kept_rows;
    last.clear();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t b = rows[r];
      const Real* row = log_p.row(static_cast<Index>(r));
      const Index token = argmax_row(log_p.cols(), row);
      ATTN_CHECK(std::isfinite(row[token]), "the model's probabilities are not numbers: its ",
                 "weights are damaged, or its training diverged");
      if (token == kEos) continue;
      outputs[b].push_back(static_cast<int>(token));
      const Index words = source.offsets[b + 1] - source.offsets[b] - 1;  // without <eos>
      const Index length = static_cast<Index>(outputs[b].size());
      if (length >= longest_output(model.config(), words, max_extra)) continue;
      kept.push_back(static_cast<Index>(r));
      kept_rows.push_back(b);
      last.push_back(static_cast<int>(token));
    }
    if (kept.size() < rows.size() && !kept.empty()) model.reorder(*state, kept);
    rows = kept_rows;
  }
  return outputs;
}

}  // namespace ATTN_PRECISION
}  // namespace attn
