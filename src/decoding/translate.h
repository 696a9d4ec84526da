// Lines of text translated: beam search between a tokenizer's units.
#pragma once

#include <string>
#include <vector>

#include "decoding/beam_search.h"
#include "text/tokenizer.h"

namespace attn {

struct TranslatedLine {
  std::string line;
  double score;  // as in Translation
};

// For each line its best translations, best first: of those that beam_search finds and that differ
// only in how their text is cut into tokens, the best. <unk> is written by words and characters
// alone, which have no other way to name what they do not know. An empty line has one translation,
// an empty line of score 0. A line's translations do not depend on the others.
std::vector<std::vector<TranslatedLine>> translate(const SequenceModel& model,
                                                   const Tokenizer& tokenizer,
                                                   const std::vector<std::string>& lines,
                                                   BeamOptions options = {});

}  // namespace attn
