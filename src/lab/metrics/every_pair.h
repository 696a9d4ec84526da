// Given translations, as a model is to predict them.
#pragma once

#include <string>
#include <vector>

#include "text/corpus.h"

namespace attn {

struct EncodedPairs {
  std::vector<SentencePair> pairs;
  Index words = 0, unknown = 0;  // of both sides; how many of them are not in the vocabulary
};
// Every pair as ids, empty ones too: a score over fewer lines would be a different score. Throws
// Error, naming the file and the line, if the model cannot read a sentence.
EncodedPairs encode_every_pair(const std::vector<TextPair>& lines, const Tokenizer& tokenizer,
                               const SequenceModel& model, const std::string& source_path,
                               const std::string& target_path);

}  // namespace attn
