// Words are compared, not ids: <unk> does not match an unknown word of the target.
#include "metrics/exact_match.h"

#include <algorithm>
#include <utility>

#include "decoding/greedy.h"
#include "text/batch.h"
#include "text/lines.h"

namespace attn {

// The best output for each source.
static std::vector<std::vector<int>> decode(const SequenceModel& model, const PackedIds& source,
                                            const BeamOptions& options,
                                            const std::function<void()>& each_step) {
  if (options.beam == 1) return decode_greedily(model, source, options, each_step);
  std::vector<std::vector<int>> outputs;
  for (std::vector<Translation>& found : beam_search(model, source, options)) {
    outputs.push_back(std::move(found.front().tokens));
  }
  return outputs;
}

ExactMatches exact_matches(const SequenceModel& model, const Tokenizer& tokenizer,
                           const std::vector<TextPair>& pairs, BeamOptions options,
                           const std::function<void(Index pairs)>& progress) {
  options.unknown = tokenizer.writes_unknown();
  std::vector<SentencePair> ids;
  for (const TextPair& pair : pairs) {
    ids.push_back(encode_pair(tokenizer, pair));
  }
  ExactMatches result;
  const auto tell = [&] {
    if (progress) progress(result.outputs.size());
  };
  // An output that does not end has many more tokens than its source, and each keeps its K and V.
  const Index at_once = std::max<Index>(kTokensAtOnce / 8 / options.beam, 1);
  for (const Batch& batch : batches_in_order(ids, at_once)) {
    for (const std::vector<int>& output : decode(model, batch.source, options, tell)) {
      const TextPair& pair = pairs[result.outputs.size()];
      result.outputs.push_back(is_blank(pair.source) ? "" : tokenizer.decode(output));
      result.matches.push_back(words(result.outputs.back()) == words(pair.target));
      result.count += result.matches.back();
    }
    tell();
  }
  return result;
}

}  // namespace attn
