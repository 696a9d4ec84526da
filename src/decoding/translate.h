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

// For each line its n_best translations by beam_search, best first, or as many as it finds; of
// those that differ only in how the text is cut into tokens, the best. Only words and characters
// write <unk>: they cannot name the unknown otherwise. An empty line has one translation, empty, of
// score 0. Lines are independent.
std::vector<std::vector<TranslatedLine>> translate(const SequenceModel& model,
                                                   const Tokenizer& tokenizer,
                                                   const std::vector<std::string>& lines,
                                                   BeamOptions options = {});

}  // namespace attn
