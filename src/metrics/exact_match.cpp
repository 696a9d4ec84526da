#include "metrics/exact_match.h"

#include "decoding/greedy.h"
#include "text/batch.h"
#include "text/lines.h"

namespace attn {

ExactMatches exact_matches(const SequenceModel& model, const Vocabulary& vocabulary,
                           const std::vector<TextPair>& pairs,
                           const std::function<void(Index pairs)>& progress) {
  std::vector<SentencePair> ids;
  for (const TextPair& pair : pairs) {
    ids.push_back(encode_pair(vocabulary, pair));
  }
  ExactMatches result;
  for (const Batch& batch : batches_in_order(ids, kTokensAtOnce)) {
    for (const std::vector<int>& output : decode_greedily(model, batch.source)) {
      // Words are compared, not ids: an unknown word of the target is not matched by <unk>.
      const TextPair& pair = pairs[result.outputs.size()];
      const bool empty = words(pair.source).empty();
      result.outputs.push_back(empty ? "" : vocabulary.decode(output));
      result.matches.push_back(words(result.outputs.back()) == words(pair.target));
      result.count += result.matches.back();
    }
    if (progress) progress(static_cast<Index>(result.outputs.size()));
  }
  return result;
}

}  // namespace attn
