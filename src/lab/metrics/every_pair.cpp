// A pair that the model cannot read is an error here, where training leaves it out.
#include "lab/metrics/every_pair.h"

#include <algorithm>
#include <utility>

namespace attn {

EncodedPairs encode_every_pair(const std::vector<TextPair>& lines, const Tokenizer& tokenizer,
                               const SequenceModel& model, const std::string& source_path,
                               const std::string& target_path) {
  EncodedPairs all;
  for (const TextPair& line : lines) {
    SentencePair pair = encode_pair(tokenizer, line);
    const Index source = pair.source_tokens(), target = pair.target_tokens();
    const std::size_t number = all.pairs.size() + 1;
    check_length(model, source, text(source_path, ", line ", number));
    check_length(model, target, text(target_path, ", line ", number));
    for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
      all.unknown += std::count(ids->begin(), ids->end(), kUnknown);
    }
    all.words += source + target - 2;
    all.pairs.push_back(std::move(pair));
  }
  return all;
}

}  // namespace attn
