// y_t = argmax P(y | y_1 … y_{t−1}, x), for all unfinished sentences in one call of the model.
#include "decoding/greedy.h"

#include "text/vocabulary.h"

namespace attn {

std::vector<std::vector<int>> decode_greedily(const SequenceModel& model, const PackedIds& source,
                                              const BeamOptions& options,
                                              const std::function<void()>& each_step) {
  const std::size_t sentences = source.sentences();
  std::vector<std::vector<int>> outputs(sentences);
  const auto full = [&](std::size_t b) {
    const Index source_tokens = source.offsets[b + 1] - source.offsets[b];
    const Index written = outputs[b].size();
    return written >= longest_output(options.max_extra, model, source_tokens);
  };

  const auto state = model.start_decoding(source);
  std::vector<std::size_t> rows(sentences);  // the sentence of each row
  for (std::size_t b = 0; b < sentences; ++b) rows[b] = b;
  for (Tensor logits; !rows.empty();) {  // [R, V]
    // Each row takes its most probable token; rows that are finished leave.
    std::vector<std::size_t> open;
    std::vector<Index> kept;
    std::vector<int> last;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t b = rows[r];
      int token = kBos;
      if (!logits.empty()) {
        const Real* row = logits.row(r);
        token = top_tokens(1, logits.cols(), row, options.unknown).front();
        if (token == kEos) continue;
        outputs[b].push_back(token);
      }
      if (full(b)) continue;
      open.push_back(b);
      kept.push_back(r);
      last.push_back(token);
    }
    if (open.size() < rows.size()) state->reorder(kept);
    rows = open;
    if (each_step) each_step();
    if (!rows.empty()) logits = state->next_logits(last);
  }
  return outputs;
}

}  // namespace attn
