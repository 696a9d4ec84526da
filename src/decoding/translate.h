// Lines of text translated: beam search between a vocabulary's words.
#pragma once

#include <string>
#include <vector>

#include "decoding/beam_search.h"
#include "text/vocabulary.h"

namespace attn {

struct TranslatedLine {
  std::string line;
  double score;  // as in Translation
};

// For each line its best translations, best first, as many as beam_search finds. An empty line has
// one translation, an empty line of score 0. A line's translations do not depend on the others.
std::vector<std::vector<TranslatedLine>> translate(const SequenceModel& model,
                                                   const Vocabulary& vocabulary,
                                                   const std::vector<std::string>& lines,
                                                   const BeamOptions& options = {});

}  // namespace attn
