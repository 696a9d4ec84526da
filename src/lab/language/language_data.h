// The data of a language model: plain text, in windows (lab/language/windows.h).
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "text/corpus.h"
#include "training/data.h"

namespace attn {

// The lines of plain text, of any length.
inline std::vector<std::string> read_plain_text(const std::string& path) {
  return read_text(path, std::numeric_limits<std::size_t>::max());
}

// As training_data says. Without a file to validate with, the last of every hold_out parts of each
// tenth of the text is held out: a book ends otherwise than it begins, so the end of all of it
// would be another text. Throws Error if what is left is shorter than settings.context tokens.
TrainingData language_data(TrainingSettings& settings, const TokenizerPlan& tokenizer);
// The same of lines that are at hand; settings.text names them in messages. Long lines are cut, so
// that some of a text without lines can be held out.
TrainingData language_data_of(TrainingSettings& settings, std::vector<std::string> lines,
                              const TokenizerPlan& tokenizer);

// As training_data: for copy, reverse and text, and for language.
TrainingData any_training_data(TrainingSettings& settings, Index longest_sentence,
                               const TokenizerPlan& tokenizer);

}  // namespace attn
